// Going through the pairs of a search one by one, and back to where the list was left.
import type { App } from './app.svelte.ts';
import { PairTable } from './pairs.svelte.ts';
import { router } from './route.svelte.ts';

/** Threshold, search and order: what decides which pairs are listed, and where each stands. */
function searchKey(): string {
  const { params } = router.current;
  return JSON.stringify(['t', 'q', 'sort'].map((name) => params.get(name)));
}

export class Walk {
  private held: { search: string; rows: number[] } | null = null;
  private list: { search: string; top: number } | null = null;
  private pair: number | null = null;

  constructor(private readonly app: App) {}

  /**
   * The pairs to go through while pair `index` is open: those of the search, in its order, as they were when
   * the first of them was opened, since a mark may take a pair out of the search. A pair that is none of them
   * is one of all.
   */
  through(index: number): number[] {
    this.pair = index;
    const search = searchKey();
    if (this.held?.search !== search || !this.held.rows.includes(index)) {
      const found = new PairTable(this.app).rows;
      const rows = found.includes(index) ? found : this.app.overview.pairs.map((_, i) => i);
      this.held = { search, rows };
    }
    return this.held.rows;
  }

  /** Remembers how far the list is scrolled. */
  leave(top: number): void {
    this.list = { search: searchKey(), top };
  }

  /** Where the list was left, and the pair that was open last; null if this is another list. */
  back(): { top: number; pair: number } | null {
    this.held = null;
    const { list, pair } = this;
    return list && pair !== null && list.search === searchKey() ? { top: list.top, pair } : null;
  }
}
