// What each view exports as comma-separated values. In anonymous mode, with pseudonyms.
import { cohesion } from '../logic/chain.ts';
import type { Sheet } from '../logic/csv.ts';
import type { PairData, Passage } from '../data/model.ts';
import { unitOfPair } from '../logic/units.ts';
import type { App } from './app.svelte.ts';
import type { Standing } from './submissions.svelte.ts';

export function pairSheet(app: App, rows: readonly number[]): Sheet {
  const { overview, names, marks } = app;
  return {
    name: 'pairs',
    columns:
      'rank a b author_a author_b label_a label_b submitted_a submitted_b score containment_a containment_b resemblance longest matched passages moved mark note expected id'.split(
        ' ',
      ),
    rows: rows.map((i) => {
      const pair = overview.pairs[i]!;
      const { mark, note } = marks.of(marks.pair(i));
      return [
        i + 1,
        ...both(pair, (side) => names.submission(side)),
        ...both(pair, (side) => names.person(side)),
        ...both(pair, (side) => names.label(side)),
        ...both(pair, (side) => overview.submissions[side]?.submitted),
        ...fractions(pair),
        pair.longest,
        pair.matched,
        pair.n_passages,
        pair.n_moved,
        mark,
        names.prose(note),
        pair.expected ?? '',
        app.called('pair', i + 1),
      ];
    }),
  };
}

export function submissionSheet(app: App, rows: readonly number[], standings: readonly Standing[]): Sheet {
  const { overview, names, marks } = app;
  return {
    name: 'submissions',
    columns:
      'submission author number label role submitted best_score best_with in_passages pairs mark note'.split(
        ' ',
      ),
    rows: rows.map((i) => {
      const { role, submitted } = overview.submissions[i]!;
      const { best, most, pairs } = standings[i]!;
      const { mark, note } = marks.of(marks.submission(i));
      return [
        names.submission(i),
        names.person(i),
        names.id(i),
        names.label(i),
        role,
        submitted,
        best ? fraction(best.score) : '',
        best ? names.submission(best.other) : '',
        best ? fraction(most) : '',
        pairs,
        mark,
        names.prose(note),
      ];
    }),
  };
}

/** All marks and notes, of every reviewer; a mark on a submission has no second name. */
export function reviewSheet(app: App): Sheet {
  const { overview, names, marks } = app;
  const index = new Map(overview.submissions.map(({ name }, i) => [name, i]));
  const ranks = new Map(overview.pairs.map((_, i) => [marks.pair(i), i]));
  const shown = (name: string) => {
    const i = index.get(name);
    return i === undefined ? names.prose(name) : names.submission(i);
  };
  const person = (name: string) => names.person(index.get(name) ?? -1);
  return {
    name: 'review',
    columns: 'rank a b author_a author_b score mark note reviewer'.split(' '),
    rows: marks.entries().map(({ key, a, b, mark, note, reviewer }) => {
      const rank = ranks.get(key);
      return [
        rank === undefined ? '' : rank + 1,
        shown(a),
        b === '' ? '' : shown(b),
        person(a),
        b === '' ? '' : person(b),
        rank === undefined ? '' : fraction(overview.pairs[rank]!.score),
        mark,
        names.prose(note),
        names.prose(reviewer),
      ];
    }),
  };
}

export function passageSheet(app: App, index: number, passages: readonly Passage[]): Sheet {
  const pair = app.overview.pairs[index]!;
  return {
    name: `pair-${app.called('pair', index + 1)}`,
    columns: 'passage tokens moved file_a first_line_a last_line_a file_b first_line_b last_line_b'.split(
      ' ',
    ),
    rows: passages.flatMap((passage, n) =>
      passage.matches.map(({ tokens, a, b }) => [
        n + 1,
        tokens,
        passage.moved ? 'yes' : 'no',
        app.names.path(pair.a, a.file),
        a.first_line,
        a.last_line,
        app.names.path(pair.b, b.file),
        b.first_line,
        b.last_line,
      ]),
    ),
  };
}

/** One row for each match of each passage of some pairs. */
export function evidenceSheet(app: App, pairs: readonly (PairData & { index: number })[]): Sheet {
  const { overview, names } = app;
  return {
    name: 'evidence',
    columns:
      'rank a b score expected unit passage size moved file_a first_line_a last_line_a file_b first_line_b last_line_b id'.split(
        ' ',
      ),
    rows: pairs.flatMap(({ index, passages }) => {
      const pair = overview.pairs[index]!;
      const head = [
        index + 1,
        ...both(pair, (side) => names.submission(side)),
        fraction(pair.score),
        pair.expected ?? '',
        unitOfPair(overview, pair),
      ];
      const id = app.called('pair', index + 1);
      return passageSheet(app, index, passages).rows.map((row) => [...head, ...row, id]);
    }),
  };
}

export function clusterSheet(app: App): Sheet {
  return {
    name: 'clusters',
    columns: 'cluster member role author label submitted links weakest mean cohesion'.split(' '),
    rows: app.clusters.flatMap((cluster, n) =>
      cluster.members.map((member) => {
        const submission = app.overview.submissions[member];
        const { submission: name, person, label } = app.names;
        return [
          n + 1,
          name(member),
          submission?.role,
          person(member),
          label(member),
          submission?.submitted,
          cluster.links.length,
          fraction(cluster.weakest),
          fraction(cluster.mean),
          fraction(cohesion(cluster)),
        ];
      }),
    ),
  };
}

function both<T>(pair: { a: number; b: number }, of: (side: number) => T): [T, T] {
  return [of(pair.a), of(pair.b)];
}

const fractions = (pair: App['overview']['pairs'][number]) =>
  [pair.score, pair.containment_a, pair.containment_b, pair.resemblance].map(fraction);

/** Always four decimals, so that a column lines up. */
export const fraction = (value: number) => (Number.isFinite(value) ? value.toFixed(4) : '');
