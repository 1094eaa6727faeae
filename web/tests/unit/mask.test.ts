// Names are hidden in the same way wherever a text is shown or saved.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { bundleFiles } from '../../src/logic/bundle.ts';
import { exportPair, type ExportInput } from '../../src/logic/exportpair.ts';
import { givingAway, masked, maskedPath } from '../../src/logic/mask.ts';
import { paint } from '../../src/logic/paint.ts';
import { sourceFile } from '../../src/logic/source.ts';
import { strokesOf } from '../../src/logic/strokes.ts';
import { classroom } from '../classroom.ts';
import { codeTokens } from '../tokens.ts';

const NAMES = ['submissions/ada', 'Ada Lindqvist', 'group-7', 'Jo', 'Zoë Čapek'];
const MASK = givingAway(NAMES);
const TEXT = 'int ada = 1; // by Ada LINDQVIST, for Canada\nString who = "Zoë Čapek"; // Jo and group 7\n';
const HIDDEN = 'int ••• = 1; // by ••• •••••••••, for Canada\nString who = "••• •••••"; // Jo and group 7\n';

/** A pair of two files that hold names. */
function input(): ExportInput & { submissions: [number, number] } {
  const place = { file: 0, start: 0, end: TEXT.length, first_line: 1, last_line: 2 };
  const passages = [{ tokens: 9, moved: false, matches: [{ tokens: 9, a: place, b: place }] }];
  const files = [sourceFile('x.java', 'java', { text: TEXT, cut: 0, grey: [], tokens: codeTokens(TEXT) })];
  const side = {
    name: 'Amber Owl',
    id: '1',
    author: null,
    label: null,
    submitted: null,
    path: () => maskedPath('ada/x.java', 0),
  };
  const strokes = strokesOf(passages, 'a', 1);
  return {
    pair: classroom(3).overview.pairs[0]!,
    number: 1,
    id: '1',
    loaded: { passages, metadata: [], files: { a: files, b: files }, strokes: { a: strokes, b: strokes } },
    a: side,
    b: { ...side, id: '2' },
    mark: '',
    note: '',
    mask: MASK,
    tool: 'fanmill',
    submissions: [0, 1],
  };
}

describe('masking', () => {
  it('hides whole words in any case, and leaves every place where it was', () => {
    assert.equal(masked(TEXT, MASK), HIDDEN);
    assert.equal(masked(TEXT, MASK).length, TEXT.length);
    assert.equal(maskedPath('src/ada/Main.java', 1), 'File 2.java');
    assert.equal(maskedPath('ada', 0), 'File 1');
  });
  it('takes no number, no short word and no word of folders for a name', () => {
    assert.deepEqual([...MASK].sort(), ['ada', 'lindqvist', 'zoë', 'čapek']);
  });
  it('is the same on the page, in the saved page and in every file of the evidence', async () => {
    const { loaded } = input();
    const { tokens } = loaded.files.a[0]!;
    const layers = { strokes: null, grey: [], tokens, mask: MASK, depths: [] };
    const shown = paint(TEXT, 0, TEXT.length, layers);
    assert.equal(shown.map(({ text }) => text).join(''), HIDDEN);
    const { settings, promises } = classroom(3).overview;
    const files = await bundleFiles({
      heading: 'Amber Owl and Amber Owl',
      made: new Date(0),
      overview: { promises, settings, title: null, tool: 'fanmill' },
      pairs: [input()],
      notices: [],
    });
    const texts = [...files].filter(([name]) => name.startsWith('texts/'));
    assert.equal(texts.length, 2);
    for (const [name, text] of texts) assert.equal(text, HIDDEN, name);
    for (const text of [exportPair(input()), ...files.keys(), ...files.values()]) {
      assert.doesNotMatch(text, /\b(?:ada|lindqvist)\b|zoë|čapek/i);
    }
    for (const page of [exportPair(input()), files.get('evidence.html')!]) assert.match(page, /for Canada/);
  });
});
