// Marks as a server keeps them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { fromServer, merged, pairKey, submissionKey, toServer } from '../../src/logic/kept.ts';
import type { Review } from '../../src/logic/review.ts';
import { PAYLOADS } from '../payloads.ts';

const copied: Review = { mark: 'copied', note: '' };
const [ada, bruno] = ['ada', 'bruno'].map((name) => submissionKey({ role: 'new', name })) as [string, string];

describe('marks on a server', () => {
  it('are read back as they were written, without zero bytes', () => {
    const everyone = new Map([
      ['Ann', new Map([[pairKey(bruno, ada), { mark: 'unsure' as const, note: 'line 3' }]])],
      ['', new Map([[ada, copied]])],
      ...PAYLOADS.map((name): [string, Map<string, Review>] => [
        name,
        new Map([[submissionKey({ role: 'archive', name }), { mark: '', note: name }]]),
      ]),
    ]);
    const text = toServer(everyone);
    assert.ok(!text.includes('\\u0000'));
    assert.deepEqual(fromServer(text), everyone);
  });
  it('of a wrong shape are left out, and a list of a wrong shape is none', () => {
    for (const text of ['', '[]', 'null', '{}', '{"marks":{}}', '"marks"'])
      assert.equal(fromServer(text), null);
    const marks = [null, 7, [], {}, { reviewer: 'Ann', submissions: [] }, { reviewer: 1, submissions: [{}] }];
    const good = { reviewer: 'Ann', submissions: [{ role: 'new', name: 'ada' }], mark: 'copied' };
    const odd = { ...good, reviewer: 'Bea', mark: 'guilty', note: 3 };
    assert.deepEqual(
      fromServer(JSON.stringify({ marks: [...marks, good, odd] })),
      new Map([
        ['Ann', new Map([[ada, copied]])],
        ['Bea', new Map()],
      ]),
    );
  });
  it('take changes of some, and leave everything else', () => {
    const before = new Map([['Ann', new Map([[ada, copied]])]]);
    const after = merged(
      before,
      [
        { reviewer: null, key: bruno, review: copied },
        { reviewer: 'Ann', key: ada, review: { mark: '', note: '' } },
        { reviewer: 'Cem', key: ada, review: copied },
      ],
      'Bea',
    );
    assert.deepEqual(
      after,
      new Map([
        ['Ann', new Map()],
        ['Bea', new Map([[bruno, copied]])],
        ['Cem', new Map([[ada, copied]])],
      ]),
    );
    assert.deepEqual(before, new Map([['Ann', new Map([[ada, copied]])]]));
  });
});
