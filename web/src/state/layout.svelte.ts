// The graph's layout, from a worker: the page stays quick while a large graph settles.
//
// Browsers refuse worker files to a page from disk, so the worker's program is part of the page's own
// and starts from a Blob. Where even that is refused, the page lays the graph out itself.
import { layOutGraph, type Graph, type Part } from '../logic/layout.ts';
import type { LayoutAnswer, LayoutRequest } from '../logic/layout.worker.ts';
import LayoutWorker from '../logic/layout.worker.ts?worker&inline';

export class Layout {
  /** The latest graph; null until the first is there. */
  graph = $state.raw<Graph | null>(null);
  /** Whether a newer one is on its way. */
  busy = $state(false);
  private worker: Worker | null = null;
  private number = 0;
  /** What to lay out next; while the slider moves, only the last request counts. */
  private next: LayoutRequest | null = null;
  private running: LayoutRequest | null = null;

  constructor() {
    try {
      this.worker = new LayoutWorker();
      this.worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => this.take(data);
      this.worker.onerror = () => this.giveUp();
    } catch {
      this.worker = null;
    }
  }

  ask(parts: Part[], width: number): void {
    this.next = { number: ++this.number, parts, width };
    this.busy = true;
    this.start();
  }

  close(): void {
    this.worker?.terminate();
    this.worker = null;
    this.next = null;
  }

  private start(): void {
    if (this.running || !this.next) return;
    const request = this.next;
    this.next = null;
    if (!this.worker) {
      this.graph = layOutGraph(request.parts, request.width);
      this.busy = false;
      return;
    }
    this.running = request;
    this.worker.postMessage(request);
  }

  private take({ number, graph }: LayoutAnswer): void {
    this.running = null;
    // A graph that is out of date is not drawn: its successor is on the way.
    if (number === this.number) [this.graph, this.busy] = [graph, false];
    this.start();
  }

  private giveUp(): void {
    this.worker?.terminate();
    this.worker = null;
    this.next ??= this.running;
    this.running = null;
    this.start();
  }
}
