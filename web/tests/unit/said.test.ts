import assert from 'node:assert/strict';
import { it } from 'node:test';
import '../english.ts';
import { saidInWords } from '../../src/logic/said.ts';

it('what documents say of themselves is a sentence', () => {
  const said = (what: Parameters<typeof saidInWords>[0]['what'], value: string) =>
    saidInWords({ what, value, path_a: 'a.docx', path_b: 'b.docx' });
  assert.equal(said('author', 'Nadja Keller'), 'both name Nadja Keller as author');
  assert.match(said('revision-ids', '1'), /^1 editing session of Word in both/);
  assert.match(said('revision-ids', '12'), /^12 editing sessions of Word in both/);
});
