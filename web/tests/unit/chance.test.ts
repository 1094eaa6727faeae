// Expectations in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.ts';
import { chanceInShort, chanceInWords } from '../../src/logic/chance.ts';

test('expectations are said with two digits', () => {
  const cases: [number | undefined, string][] = [
    [37.2, '37 pairs'],
    [1234, '1\u202f200 pairs'],
    [0.8, '1 pair'],
    [0.5, '1 pair'],
    [0.4, '1 in 3'],
    [0.0034, '1 in 290'],
    [0.000002, '1 in 500\u202f000'],
    [0.0000002, '< 1 in 1\u202f000\u202f000'],
    [0, '< 1 in 1\u202f000\u202f000'],
    [undefined, '–'],
  ];
  for (const [expected, said] of cases) assert.equal(chanceInShort(expected), said);
  assert.equal(chanceInWords(1 / 300), 'About 1 in 300 batches like this would show such a pair by chance.');
  assert.equal(chanceInWords(2.9), 'About 3 such pairs would be in a batch like this by chance.');
});
