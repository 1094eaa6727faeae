// Rows in view out of very many, all of one height: TanStack Virtual, made reactive.
import {
  Virtualizer,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
} from '@tanstack/virtual-core';

export class VirtualRows {
  /** The rows to draw. */
  items = $state.raw<VirtualItem[]>([]);
  /** Height of all rows, in pixels. */
  total = $state(0);
  private readonly virtualizer: Virtualizer<HTMLElement, Element>;
  private element: HTMLElement | null = null;

  constructor(
    private height: number,
    private count = 0,
    private readonly overscan = 12,
  ) {
    this.virtualizer = new Virtualizer(this.options());
  }

  private options() {
    return {
      count: this.count,
      getScrollElement: () => this.element,
      estimateSize: () => this.height,
      overscan: this.overscan,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.refresh(),
    };
  }

  private refresh(): void {
    this.items = this.virtualizer.getVirtualItems();
    this.total = this.virtualizer.getTotalSize();
  }

  /** Follows an element that scrolls; the return value ends that. */
  attach(element: HTMLElement): () => void {
    this.element = element;
    const end = this.virtualizer._didMount();
    this.virtualizer._willUpdate();
    this.refresh();
    return end;
  }

  resize(count: number, height = this.height): void {
    const changed = height !== this.height;
    this.count = count;
    this.height = height;
    this.virtualizer.setOptions(this.options());
    if (changed) this.virtualizer.measure();
    this.virtualizer._willUpdate();
    this.refresh();
  }

  show(index: number, align: 'auto' | 'center' | 'start' = 'auto'): void {
    this.virtualizer.scrollToIndex(index, { align });
  }
}
