// The rows of the table of submissions: all of them, each with its best match, searched and sorted.
import { matchesQuery, parseQuery, type Facts } from '../logic/query.ts';
import { parseTime } from '../logic/time.ts';
import type { App } from './app.svelte.ts';
import { router } from './route.svelte.ts';
import { TableState, type Column } from './table.svelte.ts';

const COLUMNS: readonly Column[] = [
  { key: 'names', name: 'column-submission', title: 'column-submission-about', down: false },
  { key: 'best', name: 'column-best', title: 'column-best-about', down: true, width: 104 },
  { key: 'with', name: 'column-with', title: 'column-with-about', down: false, room: 'middle' },
  {
    key: 'in',
    name: 'column-in',
    title: 'column-in-about',
    down: true,
    width: 96,
    number: true,
    room: 'wide',
  },
  {
    key: 'pairs',
    name: 'column-pairs',
    title: 'column-pairs-about',
    down: true,
    width: 84,
    number: true,
    room: 'wide',
  },
  {
    key: 'time',
    name: 'column-time',
    title: 'column-when-about',
    down: false,
    width: 130,
    room: 'wide',
  },
  { key: 'mark', name: 'column-mark', title: 'column-mark-submission-about', down: false, width: 126 },
];

/** What the listed pairs say about one submission. */
export interface Standing {
  /** Its best pair, and the other submission in it; null if it is in none. */
  best: { pair: number; other: number; score: number } | null;
  /** The largest part of it that one pair's passages cover. */
  most: number;
  pairs: number;
}

export function standings(app: App): Standing[] {
  const out = app.overview.submissions.map((): Standing => ({ best: null, most: 0, pairs: 0 }));
  app.overview.pairs.forEach(({ a, b, score, containment_a, containment_b, own_earlier: isOwn }, pair) => {
    // Earlier work of the same person says nothing about anybody else.
    if (isOwn) return;
    for (const [own, other, part] of [
      [a, b, containment_a],
      [b, a, containment_b],
    ] as const) {
      const standing = out[own];
      if (!standing) continue;
      standing.pairs++;
      standing.most = Math.max(standing.most, part);
      if (!standing.best || score > standing.best.score) standing.best = { pair, other, score };
    }
  });
  return out;
}

export class SubmissionTable extends TableState {
  readonly standings: Standing[];

  constructor(private readonly app: App) {
    super('submissions', app.marks.shown ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'mark'), 'best');
    this.standings = standings(app);
  }

  query = $derived(router.current.params.get('q') ?? '');

  rows: number[] = $derived.by(() => {
    const query = parseQuery(this.query);
    const all = this.app.overview.submissions.map((_, i) => i);
    return this.sorted(
      query.length === 0 ? all : all.filter((i) => matchesQuery(query, this.facts(i))),
      (i, key) => this.value(i, key),
    );
  });

  private facts(i: number): Facts {
    const { overview, names, marks } = this.app;
    const { best, most, pairs } = this.standings[i]!;
    const { mark, note } = marks.of(marks.submission(i));
    const label = names.label(i);
    const parts = [names.submission(i), names.person(i), names.id(i), label, mark, note];
    return {
      text: parts.join('\n').toLowerCase(),
      numbers: { score: best?.score ?? 0, in: 100 * most, pairs },
      flags: {
        archive: overview.submissions[i]!.role === 'archive',
        differs: marks.differs(marks.submission(i)),
      },
      labels: label ? [label] : [],
      mark,
      note,
    };
  }

  private value(i: number, key: string): number | string {
    const { overview, names, marks } = this.app;
    const { best, most, pairs } = this.standings[i]!;
    if (key === 'names') return names.title(i).toLowerCase();
    if (key === 'with') return best ? names.title(best.other).toLowerCase() : '~';
    if (key === 'in') return most;
    if (key === 'pairs') return pairs;
    if (key === 'time') return parseTime(overview.submissions[i]!.submitted) ?? Infinity;
    if (key === 'mark') return marks.of(marks.submission(i)).mark || '~';
    return best?.score ?? -1;
  }
}
