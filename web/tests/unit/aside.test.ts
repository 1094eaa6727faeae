// Where a bibliography begins and ends, and what is left of stretches without others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { bibliographyOf, cutOut, united } from '../../src/logic/bibliography.ts';

const found = (text: string) => {
  const span = bibliographyOf({ text, prose: true });
  return span && text.slice(span.start, span.end);
};

describe('a bibliography', () => {
  it('goes from its last heading to the end', () => {
    for (const heading of [
      'References',
      'BIBLIOGRAPHY:',
      '## Works cited',
      '7. Literatur',
      'IV. Literaturverzeichnis',
    ])
      assert.equal(found(`References\nfirst\n${heading}\nKnuth 1973`), `${heading}\nKnuth 1973`);
  });
  it('ends before an appendix', () => {
    assert.equal(found('a\nReferences\nKnuth\nAppendix A: data\nb'), 'References\nKnuth\n');
  });
  it('is no sentence with that word, and not in code', () => {
    assert.equal(found('The references are many\nSources of the river'), null);
    assert.equal(bibliographyOf({ text: 'References\n', prose: false }), null);
  });
});

describe('stretches', () => {
  const of = (...pairs: [number, number][]) => pairs.map(([start, end]) => ({ start, end }));
  it('are united', () => {
    assert.deepEqual(united(of([5, 9], [1, 3], [3, 4], [8, 12], [20, 20])), of([1, 4], [5, 12]));
  });
  it('are cut, as if each place was looked at', () => {
    const spans = of([0, 10], [4, 6], [12, 30]);
    const holes = of([2, 5], [8, 13], [20, 21], [29, 40]);
    const isIn = (list: typeof spans, at: number) => list.some(({ start, end }) => at >= start && at < end);
    const left = cutOut(spans, holes);
    for (let at = 0; at < 45; at++)
      assert.equal(isIn(left, at), isIn(spans, at) && !isIn(holes, at), `${at}`);
    assert.deepEqual(cutOut(spans, []), spans);
  });
});
