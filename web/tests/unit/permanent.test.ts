// Ids in addresses, which outlive ranks.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import type { Overview } from '../../src/data/model.ts';
import { PermanentIds } from '../../src/state/permanent.ts';

const report = (names: string[], pairs: [string, string][]) =>
  ({
    submissions: names.map((name) => ({ name, role: 'new' })),
    pairs: pairs.map(([a, b]) => ({ a: names.indexOf(a), b: names.indexOf(b) })),
  }) as unknown as Overview;

describe('ids of pairs and submissions', () => {
  it('mean the same when others have come, or sides and ranks have changed', () => {
    const before = new PermanentIds(
      report(
        ['ada', 'ben', 'cyd'],
        [
          ['ada', 'cyd'],
          ['ada', 'ben'],
        ],
      ),
    );
    const after = new PermanentIds(
      report(
        ['abe', 'ada', 'ben', 'cyd'],
        [
          ['abe', 'cyd'],
          ['ben', 'ada'],
          ['ada', 'cyd'],
        ],
      ),
    );
    const moved = (view: 'pair' | 'submission', number: number) =>
      after.number(view, before.of(view, number)!);
    assert.deepEqual([moved('pair', 1), moved('pair', 2)], [3, 2]);
    assert.deepEqual(
      [1, 2, 3].map((number) => moved('submission', number)),
      [2, 3, 4],
    );
    assert.equal(before.number('pair', after.of('pair', 1)!), 0, 'it is in no list yet');
    assert.equal(before.of('clusters', 1), null);
  });

  it('are told apart by the part of them that is shown', () => {
    const names = Array.from({ length: 200_000 }, (_, i) => `${Math.imul(i + 1, 0x9e3779b1)} ${Math.sin(i)}`);
    const ids = new PermanentIds(report(names, []));
    const shown = names.map((_, i) => ids.briefly('submission', i + 1));
    const starts = new Set(shown.map((id) => id.slice(0, 8)));
    assert.ok(starts.size < names.length, 'eight signs are too few for so many');
    assert.equal(new Set(shown).size, names.length);
    assert.equal(new PermanentIds(report(['ada', 'ben'], [])).briefly('submission', 1).length, 8);
  });
});
