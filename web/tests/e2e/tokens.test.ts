// What the page counts and colours is what the program compared: over reports that the program wrote.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Overview, PairData, Side, TextData } from '../../src/data/model.ts';
import { coverage, sharedTokens } from '../../src/logic/coverage.ts';
import { sourceFile } from '../../src/logic/source.ts';
import { strokesOf } from '../../src/logic/strokes.ts';
import { tokensOf } from '../../src/logic/tokens.ts';
import { explain } from '../../src/logic/why.ts';
import { dataIn, run } from '../example.ts';

const REPORTS = {
  programs: [
    'examples/assignment/manifest.csv',
    ...['--base', 'examples/assignment/handout'],
    ...['--archive', 'examples/assignment/last-year'],
  ],
  essays: ['examples/essays'],
};

for (const [name, args] of Object.entries(REPORTS)) {
  describe(`a report on ${name}`, () => {
    const folder = run(args);
    const overview = dataIn<Overview>(folder, 'overview');
    const filesOf = (submission: number) =>
      overview.submissions[submission]!.files.map(({ path, language }, file) =>
        sourceFile(path, language, dataIn<TextData>(folder, `texts/${submission}-${file}`)),
      );
    const pairs = overview.pairs.map((pair, i) => ({
      pair,
      ...dataIn<PairData>(folder, `pairs/${String(i + 1).padStart(4, '0')}`),
      files: { a: filesOf(pair.a), b: filesOf(pair.b) },
    }));

    it('has the tokens of every file', () => {
      assert.ok(pairs.length > 0);
      for (const { pair, files } of pairs) {
        for (const side of ['a', 'b'] as const) {
          const counts = overview.submissions[pair[side]]!.files.map(({ tokens }) => tokens);
          assert.deepEqual(
            files[side].map(({ tokens }) => tokens.count),
            counts,
          );
        }
      }
    });

    it('shows matches of as many tokens as the program counts, of the same classes on both sides', () => {
      for (const { passages, files } of pairs) {
        for (const match of passages.flatMap(({ matches }) => matches)) {
          const classes = (side: Side) => {
            const { tokens } = files[side][match[side].file]!;
            const { start, end } = match[side];
            const [first, count] = tokensOf(tokens, start, end, match.tokens);
            assert.equal(count, match.tokens);
            assert.equal(tokens.starts[first], start);
            assert.equal(tokens.ends[first + count - 1], end);
            return tokens.classes.slice(first, first + count);
          };
          assert.deepEqual(classes('a'), classes('b'));
        }
      }
    });

    it('explains as many tokens of a passage as the program counts', () => {
      for (const { passages, files } of pairs) {
        for (const passage of passages) {
          const result = explain(
            passage,
            (file) => files.a[file],
            (file) => files.b[file],
          );
          assert.equal(result.compared, passage.tokens);
          assert.ok(!result.partial);
        }
      }
    });

    it('finds as much of a submission in another as the program does', () => {
      for (const { pair, passages, files } of pairs) {
        for (const side of ['a', 'b'] as const) {
          const spans = strokesOf(passages, side, files[side].length).map(({ matches }) =>
            coverage(matches.map(({ start, end }) => ({ start, end, partner: 0 }))),
          );
          const { counted, shared } = sharedTokens(files[side], spans);
          assert.equal(counted, overview.submissions[pair[side]]!.tokens);
          assert.ok(Math.abs(shared / counted - pair[`containment_${side}`]) < 1e-9);
        }
      }
    });
  });
}
