// The rows of the table of pairs: those above the threshold that match the search, sorted. Threshold,
// search and order are all kept in the address.
import { matchesQuery, parseQuery, type Facts } from '../logic/query.ts';
import { orderOf, parseTime } from '../logic/time.ts';
import type { App } from './app.svelte.ts';
import { router } from './route.svelte.ts';

export const COLUMNS = [
  { key: 'rank', name: '#', title: 'Rank by score', down: false },
  { key: 'names', name: 'Submissions', title: 'Names', down: false },
  { key: 'score', name: 'Score', title: 'How much rare material they share', down: true },
  {
    key: 'ina',
    name: 'First in passages',
    title: 'How much of the first submission lies in the passages shown',
    down: true,
  },
  {
    key: 'inb',
    name: 'Second in passages',
    title: 'How much of the second submission lies in the passages shown',
    down: true,
  },
  {
    key: 'rare',
    name: 'Rare material',
    title: 'How much rare material they share, whatever their sizes',
    down: true,
  },
  { key: 'longest', name: 'Longest', title: 'Tokens of the longest passage', down: true },
  { key: 'passages', name: 'Passages', title: 'Number of passages', down: true },
  {
    key: 'time',
    name: 'Handed in',
    title: 'Which was handed in first, and how long before the other',
    down: false,
  },
  { key: 'mark', name: 'Your mark', title: 'Your own mark on this pair', down: false },
] as const;

export type ColumnKey = (typeof COLUMNS)[number]['key'];

/** What of the address says which pairs are searched for, and in which order. */
export function searchParams(): Record<'q' | 'sort', string | null> {
  const { params } = router.current;
  return { q: params.get('q'), sort: params.get('sort') };
}

export class PairTable {
  constructor(private readonly app: App) {}

  query = $derived(router.current.params.get('q') ?? '');
  sort = $derived(router.current.params.get('sort') ?? 'rank');
  get key(): ColumnKey {
    const key = this.sort.replace(/^-/, '');
    return COLUMNS.find((column) => column.key === key)?.key ?? 'rank';
  }
  get down(): boolean {
    return this.sort.startsWith('-');
  }

  rows: number[] = $derived.by(() => {
    const query = parseQuery(this.query);
    const rows =
      query.length === 0
        ? [...this.app.above]
        : this.app.above.filter((i) => matchesQuery(query, this.facts(i)));
    if (this.key === 'rank') return this.down ? rows.reverse() : rows;
    const values = new Map(rows.map((i) => [i, this.value(i, this.key)]));
    const sign = this.down ? -1 : 1;
    return rows.sort((i, j) => sign * compare(values.get(i)!, values.get(j)!) || i - j);
  });

  sortBy(key: ColumnKey): void {
    const column = COLUMNS.find((column) => column.key === key)!;
    const down = key === this.key ? !this.down : column.down;
    router.set({ sort: key === 'rank' && !down ? null : `${down ? '-' : ''}${key}` });
  }

  private facts(i: number): Facts {
    const { overview, names, marks } = this.app;
    const pair = overview.pairs[i]!;
    const { mark, note } = marks.of(i);
    const both = [pair.a, pair.b];
    const labels = both.flatMap((side) => names.label(side) ?? []);
    const text = both.flatMap((side) => [names.submission(side), names.author(side) ?? '']);
    return {
      text: [...text, ...labels, mark, note].join('\n').toLowerCase(),
      score: pair.score,
      containmentA: pair.containment_a,
      containmentB: pair.containment_b,
      longest: pair.longest,
      matched: pair.matched,
      passages: pair.n_passages,
      moved: pair.n_moved > 0,
      archive: both.some((side) => overview.submissions[side]?.role === 'archive'),
      labels,
      mark,
      note,
    };
  }

  private value(i: number, key: ColumnKey): number | string {
    const { overview, names, marks } = this.app;
    const pair = overview.pairs[i]!;
    if (key === 'names') return `${names.submission(pair.a)}\0${names.submission(pair.b)}`.toLowerCase();
    if (key === 'score') return pair.score;
    if (key === 'ina') return pair.containment_a;
    if (key === 'inb') return pair.containment_b;
    if (key === 'rare') return pair.rare;
    if (key === 'longest') return pair.longest;
    if (key === 'passages') return pair.n_passages;
    if (key === 'time') return apart(this.app, i) ?? Infinity;
    if (key === 'mark') return marks.of(i).mark || '~';
    return i;
  }
}

/** Milliseconds between the two hand-ins; null if one is not known. */
export function apart(app: App, i: number): number | null {
  const pair = app.overview.pairs[i]!;
  const of = (side: number) => parseTime(app.overview.submissions[side]?.submitted ?? null);
  const [x, y] = [of(pair.a), of(pair.b)];
  return x === null || y === null ? null : Math.abs(x - y);
}

export function orderIn(app: App, i: number) {
  const { a, b } = app.overview.pairs[i]!;
  const [x, y] = [app.overview.submissions[a], app.overview.submissions[b]];
  return x && y ? orderOf(x, y) : 'unknown';
}

function compare(x: number | string, y: number | string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
