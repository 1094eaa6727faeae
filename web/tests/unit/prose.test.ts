// Prose: paragraphs out of hard line ends, rows of a proportional face, whole sentences.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { excerptsOf } from '../../src/logic/excerpt.ts';
import { whereInWords, whereOf } from '../../src/logic/where.ts';
import { flow, type Face } from '../../src/logic/flow.ts';
import { inSentences, paragraphsOf, proseFoldsOf } from '../../src/logic/paragraphs.ts';
import { FOLD, HEAD, LINE, MORE, layOut, rowOf } from '../../src/logic/rows.ts';
import { paint } from '../../src/logic/paint.ts';
import { sourceFile } from '../../src/logic/source.ts';
import { readTokens } from '../../src/logic/tokens.ts';
import { ESSAY_A, ESSAY_B, essays, hardWrapped, paragraph, SHARED } from '../essays.ts';
import { codeTokens, wordTokens } from '../tokens.ts';

const texts = (text: string) => paragraphsOf(text).map(({ start, end }) => text.slice(start, end));
const flat = (text: string) => text.replace(/\s+/g, ' ');
const essay = (text: string) =>
  sourceFile('x', 'words', { text, cut: 0, grey: [], tokens: wordTokens(text) });
/** `i` and `l` are narrow, `m` is wide. */
const face: Face = {
  width: 300,
  advance: (code) => (code === 105 || code === 108 ? 4 : code === 109 ? 12 : 8),
};

describe('paragraphs', () => {
  it('join the lines of a text that was broken at a width, and keep every line', () => {
    const found = texts(ESSAY_A);
    assert.equal(flat(found[0]!), paragraph(0));
    assert.equal(found.filter((text) => text !== '').length, 8);
    let line = 1;
    for (const one of paragraphsOf(ESSAY_A)) {
      assert.equal(one.line, line);
      assert.equal(ESSAY_A.slice(one.start, one.end).split('\n').length, one.lines);
      line += one.lines;
    }
    assert.equal(line - 1, ESSAY_A.split('\n').length);
  });
  it('join them with carriage returns too', () => {
    const text = hardWrapped(paragraph(1), 50).replaceAll('\n', '\r\n');
    assert.equal(texts(text).length, 1);
  });
  it('leave lines that stand for themselves', () => {
    for (const text of [
      'A line of verse that is long enough to count,\nand one of less\nwhich no one broke for lack of room at all\nbut rhyme',
      `${paragraph(1)}\n${paragraph(2)}\n${paragraph(3)}`,
      'Upon a night of rain the lanterns burn\nUntil the grey of morning comes again\nAnd all the carts of market day return\nAlong the muddy ruts of Mercer Lane',
      '- one item of some list, and it is long\n- two items of some list, and it is long\n- three',
      '1. one item of some list, and it is long\n2. two items of some list, and it is long\n3. three',
      '# A heading of more than thirty characters\nText that follows it, and is no longer at all',
      '',
      'x',
    ])
      assert.deepEqual(texts(text), text.split('\n'), text);
  });
  it('go on within an item of a list, and begin anew at an indent', () => {
    const wrapped = hardWrapped(paragraph(5), 60);
    const item = `- ${wrapped.replaceAll('\n', '\n  ')}`;
    assert.deepEqual(texts(`${item}\n${item}`), [item, item]);
    const indented = `    ${wrapped}`;
    assert.deepEqual(texts(`${indented}\n${indented}`), [indented, indented]);
  });
  it('are cut into whole sentences', () => {
    const text = hardWrapped('It rained. We walked 3.5 miles to the old mill, and back. Nobody spoke.', 30);
    const [only] = paragraphsOf(text);
    const part = (words: string) => {
      const start = text.search(words);
      return flat(text.slice(...inSentences(text, only!, start, start + words.length)));
    };
    assert.equal(part('old'), 'We walked 3.5 miles to the old mill, and back.');
    assert.equal(part('rained. We'), 'It rained. We walked 3.5 miles to the old mill, and back.');
  });
  it('fold as wholes', () => {
    const file = essay(ESSAY_B);
    const { start, end } = essays().pairs.get(0)!.passages[0]!.matches[0]!.b;
    const folds = proseFoldsOf(ESSAY_B, [{ start, end }], new Set());
    assert.deepEqual(
      folds.map(({ lines }) => lines),
      [9],
    );
    const rows = layOut([file], 80, [folds], face);
    const fold = rows.kind.indexOf(FOLD);
    assert.equal(ESSAY_B.slice(rows.start[fold]! - 2, rows.start[fold]), '\n\n');
    assert.equal(fold, rows.count - 1);
    assert.equal(rows.end[rows.count - 1], ESSAY_B.length);
  });
});

describe('rows of prose', () => {
  const rowsOf = (text: string, width = 300) => {
    const rows = layOut([essay(text)], 80, [], { ...face, width });
    return Array.from({ length: rows.count - 1 }, (_, i) => ({
      kind: rows.kind[i + 1],
      text: text.slice(rows.start[i + 1], rows.end[i + 1]),
      hang: rows.extra[i + 1],
    }));
  };
  it('hold every character once, no wider than the pane, with words whole', () => {
    for (const text of [ESSAY_A, ESSAY_B, ESSAY_A.replaceAll('\n', '\r\n')]) {
      const rows = rowsOf(text);
      assert.equal(flat(rows.map(({ text }) => text).join('\n')).trim(), flat(text).trim());
      const words = new Set(text.split(/\s+/));
      for (const { text, hang } of rows) {
        const shown = flat(text).trim();
        const width = [...shown].reduce((sum, c) => sum + face.advance(c.charCodeAt(0)), hang!);
        assert.ok(width <= 300, shown);
        for (const word of shown.split(' ').filter(Boolean)) assert.ok(words.has(word), word);
      }
    }
  });
  it('are as full as they can be', () => {
    const rows = rowsOf(paragraph(2)).map(({ text }) => text);
    rows.slice(0, -1).forEach((row, i) => {
      const more = `${row}${rows[i + 1]!.split(' ')[0]}`;
      assert.ok([...more].reduce((sum, c) => sum + face.advance(c.charCodeAt(0)), 0) > 300, more);
    });
  });
  it('hang behind the marker of a list', () => {
    const rows = rowsOf('  2. An item that goes on and on, until it needs a second row, or a third');
    assert.deepEqual(rows.map(({ hang }) => hang).slice(0, 2), [16, 40]);
    assert.deepEqual(rows.map(({ kind }) => kind).slice(0, 2), [LINE, MORE]);
  });
  it('break what is wider than a row, but no character', () => {
    const rows: string[] = [];
    const text = '🦀'.repeat(50);
    flow(text, { start: 0, end: 100, line: 1, lines: 1 }, face, (from, to) =>
      rows.push(text.slice(from, to)),
    );
    assert.ok(rows.length > 1);
    assert.equal(rows.join(''), text);
    for (const row of rows) assert.equal([...row].join(''), '🦀'.repeat(row.length / 2));
  });
  it('are for prose only, and only if asked for', () => {
    const wrapped = hardWrapped(paragraph(0), 60);
    const code = sourceFile('x', 'java', { text: wrapped, cut: 0, grey: [], tokens: codeTokens(wrapped) });
    const lines = wrapped.split('\n').length;
    assert.deepEqual(
      [code, essay(wrapped)].map(({ prose }) => prose),
      [false, true],
    );
    for (const rows of [layOut([code], 80, [], face), layOut([essay(wrapped)], 80)])
      assert.deepEqual([...rows.kind.slice(0, rows.count)], [HEAD, ...Array(lines).fill(LINE)]);
  });
  it('are found by place', () => {
    const rows = layOut([essay(ESSAY_A)], 80, [], face);
    for (let at = 0; at < ESSAY_A.length; at += 97) {
      const row = rowOf(rows, 0, at);
      assert.ok(rows.start[row]! <= at && at <= rows.end[row]!, String(at));
    }
  });
  it('of a megabyte are laid out in a moment', () => {
    const file = essay(`${hardWrapped(paragraph(1), 70)}\n\n`.repeat(1500));
    const start = process.cpuUsage();
    layOut([file], 80, [], face);
    assert.ok(process.cpuUsage(start).user < 2_000_000);
  });
});

describe('the place of a passage', () => {
  const place = (first_line: number, last_line: number, pages?: number[]) => ({
    file: 0,
    start: 0,
    end: 1,
    first_line,
    last_line,
    ...(pages ? { pages } : {}),
  });
  it('is its lines, or its pages where the document has any', () => {
    assert.equal(whereOf(place(7, 7), place(9, 9)), '7–9');
    assert.equal(whereInWords(place(7, 7), place(7, 8)), 'lines 7–8');
    assert.equal(whereInWords(place(7, 7), place(7, 7)), 'line 7');
    assert.equal(whereOf(place(7, 7, [12, 12]), place(90, 91, [12, 13])), 'p. 12–13');
    assert.equal(whereInWords(place(7, 7, [4, 4]), place(7, 7, [4, 4])), 'p. 4');
  });
});

describe('a form feed', () => {
  it('is shown as the number of the page that it begins', () => {
    const text = 'one\n\ftwo\n\f\fthree and four';
    const layers = { strokes: null, grey: [], tokens: readTokens('', text), mask: null, depths: [] };
    const shown = (from: number) =>
      paint(text, from, text.length, layers)
        .filter(({ page }) => page)
        .map(({ text, hidden }) => `${text}${hidden}`);
    assert.deepEqual(shown(0), ['page 2false', 'page 3false', 'page 4false']);
    assert.deepEqual(shown(6), ['page 3false', 'page 4false']);
  });
});

describe('what is printed of prose', () => {
  it('is the passage in whole sentences, with its lines', () => {
    const { passages } = essays().pairs.get(0)!;
    passages.forEach((passage, i) => {
      for (const [side, text] of [
        ['a', ESSAY_A],
        ['b', ESSAY_B],
      ] as const) {
        const [{ rows, where }] = excerptsOf(passage, side, [essay(text)]) as [
          ReturnType<typeof excerptsOf>[number],
        ];
        const printed = flat(rows.map(({ start, end }) => text.slice(start, end)).join(' '));
        assert.ok(printed.includes(SHARED[i]!), printed);
        assert.ok(printed.startsWith('Sentence number') && printed.endsWith(' neighbours know.'), printed);
        assert.equal(printed.split('Sentence number').length - 1, 2);
        const first = Number(/^lines? (\d+)/.exec(where)?.[1]);
        assert.ok(rows[0]!.line <= first, where);
        assert.equal(text.slice(0, rows[0]!.start).split('\n').length, rows[0]!.line);
      }
    });
  });
});
