// How a table is sorted and which of its columns are shown. The order is kept in the address, the columns in
// the browser.
import type { Key } from '../logic/wording.ts';
import { router } from './route.svelte.ts';
import { keep, kept } from './store.ts';

export interface Column {
  key: string;
  /** The keys of its heading, and of a sentence that tells what it holds. */
  name: Key;
  title: Key;
  /** Whether a first click sorts the largest to the top. */
  down: boolean;
  /** In pixels; the rest is shared by the columns without one. */
  width?: number;
  /** Whether its cells are numbers, and its head stands at the right as they do. */
  number?: boolean;
  /** The windows in which it has room: from 1180, 900 or 640 pixels on; all if left out. */
  room?: 'widest' | 'wide' | 'middle';
}

/** A condition of the search as a button, whose name is a key. */
export interface Filter {
  term: string;
  name: Key;
}

export class TableState {
  /** The names of columns that the reader has put away. */
  private hidden: readonly string[] = $state.raw([]);

  constructor(
    private readonly name: string,
    private readonly all: readonly Column[],
    /** The column by which rows are sorted at first, and which cannot be put away. */
    private readonly standard: string,
  ) {
    this.hidden = (kept(`hidden-columns:${name}`) ?? '').split(' ').filter(Boolean);
  }

  sort = $derived(router.current.params.get('sort') ?? '');
  get key(): string {
    const key = this.sort.replace(/^-/, '');
    return this.all.find((column) => column.key === key)?.key ?? this.standard;
  }
  get down(): boolean {
    return this.sort === '' ? this.column(this.standard).down : this.sort.startsWith('-');
  }
  get columns(): readonly Column[] {
    return this.all.filter(({ key }) => this.shows(key));
  }
  /** The columns that may be put away. */
  get optional(): readonly Column[] {
    return this.all.filter(({ key }) => key !== this.standard && key !== 'names');
  }

  shows(key: string): boolean {
    return !this.hidden.includes(key) && this.all.some((column) => column.key === key);
  }

  toggle(key: string): void {
    const others = this.hidden.filter((name) => name !== key);
    this.hidden = others.length === this.hidden.length ? [...others, key] : others;
    keep(`hidden-columns:${this.name}`, this.hidden.join(' '));
  }

  sortBy(key: string): void {
    const down = key === this.key ? !this.down : this.column(key).down;
    const isStandard = key === this.standard && down === this.column(key).down;
    router.set({ sort: isStandard ? null : `${down ? '-' : ''}${key}` });
  }

  /** Rows in the order asked for; equal ones stay as they are. */
  sorted(rows: number[], value: (row: number, key: string) => number | string): number[] {
    const { key, down } = this;
    const values = new Map(rows.map((row) => [row, value(row, key)]));
    const sign = down ? -1 : 1;
    return rows.sort((x, y) => sign * compare(values.get(x)!, values.get(y)!) || x - y);
  }

  private column(key: string): Column {
    return this.all.find((column) => column.key === key)!;
  }
}

function compare(x: number | string, y: number | string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
