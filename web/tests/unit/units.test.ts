// What is counted: words of essays, characters of what is compared by characters, tokens of code and of both together.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { unitOf, unitOfFiles, unitOfPair } from '../../src/logic/units.ts';
import { classroom } from '../classroom.ts';
import { essays } from '../essays.ts';

describe('the unit', () => {
  it('is that of all texts, or tokens', () => {
    assert.equal(unitOf(['words', 'words']), 'word');
    assert.equal(unitOf(['chars']), 'character');
    assert.equal(unitOf(['words', 'java']), 'token');
    assert.equal(unitOf([]), 'token');
  });
  it('of a submission leaves files without a token aside', () => {
    const [essay] = essays().overview.submissions[0]!.files;
    const empty = { ...essay!, language: 'java', tokens: 0 };
    assert.equal(unitOfFiles([essay!, empty]), 'word');
    assert.equal(unitOfFiles([essay!, { ...empty, tokens: 1 }]), 'token');
  });
  it('of a pair is that of both sides', () => {
    for (const [report, unit] of [
      [essays(), 'word'],
      [classroom(), 'token'],
    ] as const)
      assert.equal(unitOfPair(report.overview, report.overview.pairs[0]!), unit);
  });
});
