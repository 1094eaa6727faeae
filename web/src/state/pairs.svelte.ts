// The rows of the table of pairs: those above the threshold that match the search, sorted. Threshold,
// search and order are all kept in the address.
import { matchesQuery, parseQuery, type Facts } from '../logic/query.ts';
import { orderOf, parseTime } from '../logic/time.ts';
import type { App } from './app.svelte.ts';
import { router } from './route.svelte.ts';
import { TableState, type Column } from './table.svelte.ts';

const COLUMNS: readonly Column[] = [
  {
    key: 'rank',
    name: 'column-rank',
    title: 'column-rank-about',
    down: false,
    width: 58,
    number: true,
    room: 'middle',
  },
  { key: 'names', name: 'column-names', title: 'column-names-about', down: false },
  { key: 'score', name: 'column-score', title: 'column-score-about', down: true, width: 104 },
  {
    key: 'chance',
    name: 'column-chance',
    title: 'column-chance-about',
    down: false,
    width: 112,
    number: true,
    room: 'wide',
  },
  {
    key: 'ina',
    name: 'column-ina',
    title: 'column-ina-about',
    down: true,
    width: 82,
    number: true,
    room: 'wide',
  },
  {
    key: 'inb',
    name: 'column-inb',
    title: 'column-inb-about',
    down: true,
    width: 82,
    number: true,
    room: 'wide',
  },
  {
    key: 'rare',
    name: 'column-rare',
    title: 'column-rare-about',
    down: true,
    width: 84,
    number: true,
    room: 'widest',
  },
  {
    key: 'longest',
    name: 'column-longest',
    title: 'column-longest-about',
    down: true,
    width: 84,
    number: true,
    room: 'widest',
  },
  {
    key: 'passages',
    name: 'column-passages',
    title: 'column-passages-about',
    down: true,
    width: 84,
    number: true,
    room: 'widest',
  },
  {
    key: 'time',
    name: 'column-time',
    title: 'column-time-about',
    down: false,
    width: 126,
    room: 'wide',
  },
  { key: 'mark', name: 'column-mark', title: 'column-mark-pair-about', down: false, width: 126 },
];

/** What of the address says which pairs are searched for, and in which order. */
export function searchParams(): Record<'q' | 'sort', string | null> {
  const { params } = router.current;
  return { q: params.get('q'), sort: params.get('sort') };
}

export class PairTable extends TableState {
  constructor(private readonly app: App) {
    super('pairs', app.marks.shown ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'mark'), 'rank');
  }

  query = $derived(router.current.params.get('q') ?? '');

  rows: number[] = $derived.by(() => {
    const query = parseQuery(this.query);
    const rows =
      query.length === 0
        ? [...this.app.above]
        : this.app.above.filter((i) => matchesQuery(query, this.facts(i)));
    return this.sorted(rows, (i, key) => this.value(i, key));
  });

  private facts(i: number): Facts {
    const { overview, names, marks } = this.app;
    const pair = overview.pairs[i]!;
    const target = marks.pair(i);
    const { mark, note } = marks.of(target);
    const both = [pair.a, pair.b];
    const labels = both.flatMap((side) => names.label(side) ?? []);
    const text = both.flatMap((side) => [
      names.submission(side),
      names.person(side) ?? '',
      names.id(side) ?? '',
    ]);
    return {
      text: [...text, ...labels, mark, note].join('\n').toLowerCase(),
      numbers: {
        score: pair.score,
        in: 100 * Math.max(pair.containment_a, pair.containment_b),
        longest: pair.longest,
        matched: pair.matched,
        passages: pair.n_passages,
      },
      flags: {
        moved: pair.n_moved > 0,
        archive: both.some((side) => overview.submissions[side]?.role === 'archive'),
        within: labels.length === 2 && labels[0] === labels[1],
        across: labels.length === 2 && labels[0] !== labels[1],
        differs: marks.differs(target),
      },
      labels,
      mark,
      note,
    };
  }

  private value(i: number, key: string): number | string {
    const { overview, names, marks } = this.app;
    const pair = overview.pairs[i]!;
    if (key === 'names') return `${names.title(pair.a)}\0${names.title(pair.b)}`.toLowerCase();
    if (key === 'score') return pair.score;
    if (key === 'chance') return pair.expected ?? Infinity;
    if (key === 'ina') return pair.containment_a;
    if (key === 'inb') return pair.containment_b;
    if (key === 'rare') return pair.rare;
    if (key === 'longest') return pair.longest;
    if (key === 'passages') return pair.n_passages;
    if (key === 'time') return apart(this.app, i) ?? Infinity;
    if (key === 'mark') return marks.of(marks.pair(i)).mark || '~';
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
