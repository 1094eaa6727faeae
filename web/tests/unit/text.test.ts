// Rows, strokes, paint and hidden characters: what a text looks like, without a browser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { codeName, isHidden, printable } from '../../src/logic/hidden.ts';
import { paint, type Layers } from '../../src/logic/paint.ts';
import { foldsOf } from '../../src/logic/lines.ts';
import { FOLD, HEAD, LINE, MORE, NOTE, layOut, rowOf, rowOfLine } from '../../src/logic/rows.ts';
import { sourceFile } from '../../src/logic/source.ts';
import type { SourceFile } from '../../src/logic/source.ts';
import { strokesOf, touching } from '../../src/logic/strokes.ts';
import { firstAfter, firstFrom, readTokens, tokensOf } from '../../src/logic/tokens.ts';
import { CLASSES } from '../../src/data/model.ts';
import { codeTokens, wordTokens, written } from '../tokens.ts';

const EXAMPLE = ">! / d'+! ";

const file = (text: string | null, cut = 0): SourceFile =>
  sourceFile('x', 'java', { text, cut, grey: [], tokens: '' });
const place = (start: number, end: number, file = 0) => ({ file, start, end, first_line: 1, last_line: 1 });

describe('hidden characters', () => {
  it('are those that cannot be seen', () => {
    for (const c of [
      '\u0000',
      '\u007f',
      '\u00ad',
      '\u200b',
      '\u202e',
      '\u2028',
      '\ufeff',
      '\u{e0041}',
      '\ud800',
    ]) {
      assert.ok(isHidden(c.codePointAt(0)!), codeName(c.codePointAt(0)!));
    }
    for (const c of ['a', 'é', '日', '\n', '\t', '🦀', ' ', '\u00a0'])
      assert.ok(!isHidden(c.codePointAt(0)!), c);
  });
  it('are shown as escapes in names', () => {
    assert.equal(printable('x\u202ecod.exe'), 'x\\u{202e}cod.exe');
    assert.equal(printable('a\nb\tc'), 'a\\nb\\tc');
    assert.equal(printable('naïve 🦀'), 'naïve 🦀');
    assert.equal(codeName(0x9), 'U+0009');
  });
});

describe('rows', () => {
  const kinds = (files: SourceFile[], columns = 80) => {
    const rows = layOut(files, columns);
    return [...rows.kind.slice(0, rows.count)];
  };
  it('hold a head for each file and a row for each line', () => {
    assert.deepEqual(kinds([file('a\nb\n'), file('')]), [HEAD, LINE, LINE, HEAD, LINE]);
  });
  it('say what is missing or cut', () => {
    assert.deepEqual(kinds([file(null), file('a', 9)]), [HEAD, NOTE, HEAD, LINE, NOTE]);
  });
  it('break long lines behind blanks, and cover every character once', () => {
    const text = `${'word '.repeat(40)}\n${'x'.repeat(130)}\n\tend`;
    const rows = layOut([file(text)], 60);
    let at = 0;
    for (let row = 1; row < rows.count; row++) {
      if (rows.kind[row] === LINE && row > 1) at++;
      assert.equal(rows.start[row], at);
      assert.ok(rows.end[row]! - rows.start[row]! <= 60);
      at = rows.end[row]!;
    }
    assert.equal(at, text.length);
    assert.ok(rows.kind.slice(0, rows.count).includes(MORE));
    assert.equal(text.slice(rows.start[1], rows.end[1]).endsWith(' '), true);
  });
  it('hang, and break behind signs where there is no blank', () => {
    const text = '    call(first_argument,second_argument,third_argument,fourth_argument)';
    const rows = layOut([file(text)], 40);
    const parts = Array.from({ length: rows.count - 1 }, (_, i) =>
      text.slice(rows.start[i + 1], rows.end[i + 1]),
    );
    assert.deepEqual(parts, ['    call(first_argument,second_argument,', 'third_argument,fourth_argument)']);
    assert.deepEqual([...rows.extra.slice(1, 3)], [0, 6]);
  });
  it('fold away lines far from any match', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
    const text = lines.join('\n');
    const at = text.indexOf('line 15');
    const folds = foldsOf(text, [{ start: at, end: at + 7 }], new Set());
    assert.deepEqual(
      folds.map(({ lines }) => lines),
      [11, 12],
    );
    const rows = layOut([file(text)], 80, [folds]);
    assert.deepEqual(
      [...rows.kind.slice(0, rows.count)],
      [HEAD, FOLD, LINE, LINE, LINE, LINE, LINE, LINE, LINE, FOLD],
    );
    assert.equal(rows.line[2], 12);
    assert.equal(rowOf(rows, 0, text.indexOf('line 3')), 1);
    assert.equal(rowOf(rows, 0, at), 5);
    assert.equal(foldsOf(text, [{ start: at, end: at + 7 }], new Set([0])).length, 1);
    assert.deepEqual(foldsOf('', [], new Set()), []);
    assert.deepEqual(kinds([file('a')]), [HEAD, LINE]);
  });
  it('never cut a character in two', () => {
    const text = '🦀'.repeat(100);
    const rows = layOut([file(text)], 31);
    for (let row = 1; row < rows.count; row++) assert.equal((rows.end[row]! - rows.start[row]!) % 2, 0);
  });
  it('leave carriage returns out', () => {
    const rows = layOut([file('a\r\nb\r\n')], 80);
    assert.equal(rows.end[1], 1);
    assert.equal(rows.count, 3);
  });
  it('are found by place and by line', () => {
    const rows = layOut([file('ab\ncd\nef'), file('gh\nij')], 80);
    assert.deepEqual(
      [0, 1, 3, 7].map((at) => rowOf(rows, 0, at)),
      [1, 1, 2, 3],
    );
    assert.deepEqual(
      [0, 3].map((at) => rowOf(rows, 1, at)),
      [5, 6],
    );
    assert.deepEqual(
      [1, 2, 3, 99].map((line) => rowOfLine(rows, 0, line)),
      [1, 2, 3, 3],
    );
  });
  it('of 100,000 lines are laid out in a moment', () => {
    const text = '    int total = first * 12 + second.length();\n'.repeat(100_000);
    const start = process.cpuUsage();
    const rows = layOut([file(text)], 80);
    assert.equal(rows.count, 100_001);
    assert.ok(process.cpuUsage(start).user < 2_000_000);
  });
});

describe('strokes', () => {
  const passages = [
    {
      tokens: 5,
      moved: false,
      matches: [
        { tokens: 3, a: place(10, 20), b: place(50, 60) },
        { tokens: 2, a: place(25, 30), b: place(62, 70) },
      ],
    },
    { tokens: 2, moved: true, matches: [{ tokens: 2, a: place(40, 45), b: place(0, 5) }] },
  ];
  it('are matches and the stretch around them, ascending on each side', () => {
    const [a, b] = [strokesOf(passages, 'a', 1)[0]!, strokesOf(passages, 'b', 1)[0]!];
    assert.deepEqual(a.extents, [
      { start: 10, end: 30, passage: 0 },
      { start: 40, end: 45, passage: 1 },
    ]);
    assert.deepEqual(
      b.matches.map(({ passage }) => passage),
      [1, 0, 0],
    );
  });
  it('leave out what a damaged report says', () => {
    const odd = [{ tokens: 1, moved: false, matches: [{ tokens: 1, a: place(9, 3), b: place(0, 5, 7) }] }];
    assert.deepEqual(strokesOf(odd, 'a', 1), [{ matches: [], extents: [] }]);
    assert.deepEqual(strokesOf(odd, 'b', 1), [{ matches: [], extents: [] }]);
  });
  it('are found where they touch', () => {
    const spans = [
      { start: 0, end: 5 },
      { start: 5, end: 9 },
      { start: 20, end: 30 },
    ];
    assert.deepEqual(touching(spans, 4, 6), spans.slice(0, 2));
    assert.deepEqual(touching(spans, 9, 20), []);
  });
});

describe('paint', () => {
  const bare: Layers = { strokes: null, grey: [], tokens: readTokens('', ''), mask: null, depths: [] };
  it('cuts a row where any layer changes, and loses nothing', () => {
    const text = 'int a = 1; // note';
    const tokens = readTokens(codeTokens(text), text);
    const strokes = {
      matches: [{ start: 4, end: 9, passage: 3 }],
      extents: [{ start: 4, end: text.length, passage: 3 }],
    };
    const segments = paint(text, 0, text.length, {
      ...bare,
      tokens,
      strokes,
      grey: [{ start: 0, end: 3, why: 'given' }],
    });
    assert.equal(segments.map((segment) => segment.text).join(''), text);
    assert.deepEqual(
      segments
        .filter(({ match }) => match === 3)
        .map(({ text }) => text)
        .join(''),
      'a = 1',
    );
    assert.deepEqual(
      segments
        .filter(({ gap }) => gap === 3)
        .map(({ text }) => text)
        .join(''),
      '; ',
    );
    assert.equal(segments[0]!.grey, 'given');
    assert.equal(segments.at(-1)!.text, '// note');
    assert.equal(segments.at(-1)!.kind, 'left-out');
  });
  it('paints no comment as matched, and no punctuation of prose as left out', () => {
    const kinds = (text: string, tokens: string) =>
      paint(text, 0, text.length, {
        ...bare,
        tokens: readTokens(tokens, text),
        strokes: { matches: [{ start: 0, end: text.length, passage: 0 }], extents: [] },
      }).map(({ text, kind, match }) => [text.trim(), kind, match]);
    const code = 'f /* of */ (x) // end';
    assert.deepEqual(
      kinds(code, codeTokens(code)).filter(([, kind]) => kind),
      [
        ['/* of */', 'left-out', null],
        ['// end', 'left-out', null],
      ],
    );
    assert.ok(kinds('Yes, 3 (of them).', wordTokens('Yes, 3 (of them).')).every(([, kind]) => kind === null));
    assert.ok(
      kinds(code, '').every(([, kind, match]) => kind === null && match === 0),
      'plain text',
    );
  });
  it('leaves no blank painted where a row ends within a comment', () => {
    const text = 'f /* of this */ (x)';
    const strokes = { matches: [{ start: 0, end: text.length, passage: 0 }], extents: [] };
    const tokens = readTokens(codeTokens(text), text);
    const painted = (start: number, end: number) =>
      paint(text, start, end, { ...bare, tokens, strokes }).map(({ text, match }) => [text, match]);
    assert.deepEqual(painted(0, 8), [
      ['f ', 0],
      ['/* of ', null],
    ]);
    assert.deepEqual(painted(8, 16), [
      ['this */', null],
      [' ', 0],
    ]);
  });
  it('shows hidden characters by their code', () => {
    const segments = paint('a\u202eb', 0, 3, bare);
    assert.deepEqual(
      segments.map(({ text, hidden }) => [text, hidden]),
      [
        ['a', false],
        ['U+202E', true],
        ['b', false],
      ],
    );
  });
  it('hides names without moving anything', () => {
    const [segment] = paint('by Ada Lovelace', 0, 15, { ...bare, mask: new Set(['ada', 'lovelace']) });
    assert.equal(segment!.text, 'by ••• ••••••••');
  });
  it('leaves indentation bare', () => {
    const strokes = { matches: [{ start: 0, end: 9, passage: 0 }], extents: [] };
    const segments = paint('    x = 1', 0, 9, { ...bare, strokes });
    assert.deepEqual(
      segments.map(({ match }) => match),
      [null, 0],
    );
  });
});

describe('tokens', () => {
  const seen = (written: string, text: string) => {
    const { count, starts, ends, classes } = readTokens(written, text);
    return Array.from({ length: count }, (_, i) => [text.slice(starts[i], ends[i]), CLASSES[classes[i]!]]);
  };
  it('are read as the program writes them', () => {
    // The same example is in `crates/fanmill-report/src/runs.rs`.
    const text = 'int é =\n\t17; /* n */ return x;';
    assert.deepEqual(seen(EXAMPLE, text), [
      ['int', 'keyword'],
      ['é', 'identifier'],
      ['=', 'spelled'],
      ['17', 'number'],
      [';', 'spelled'],
      ['return', 'keyword'],
      ['x', 'identifier'],
      [';', 'spelled'],
    ]);
  });
  it('may be far apart, long, and overlap where one character holds several', () => {
    const text = `x${' '.repeat(9000)}${'y'.repeat(5000)}\u2026`;
    const long = written([
      ['word', 0, 1],
      ['string', 9001, 14_001],
      ['spelled', 14_001, 14_002],
      ['spelled', 14_001, 14_002],
      ['spelled', 14_001, 14_002],
    ]);
    assert.deepEqual(
      seen(long, text).map(([word, name]) => `${name} ${word!.length}`),
      ['word 1', 'string 5000', 'spelled 1', 'spelled 1', 'spelled 1'],
    );
    const tokens = readTokens(long, text);
    assert.deepEqual(tokensOf(tokens, 14_001, 14_002, 3), [2, 3]);
    assert.deepEqual(tokensOf(tokens, 14_001, 14_002, 2), [3, 2]);
  });
  it('end where they are damaged', () => {
    for (const damaged of ['', '"', 'zzzz', '\u0000', 'é', '~', `${codeTokens('a b')}~~~~~~~~`]) {
      const { count, ends } = readTokens(damaged, 'a b');
      assert.ok(count <= 2 && ends.every((end) => end <= 3), damaged);
    }
  });
  it('are found by place', () => {
    const tokens = readTokens(codeTokens('ab = cd;'), 'ab = cd;');
    assert.deepEqual(
      [0, 1, 2, 3, 7, 8].map((at) => [firstAfter(tokens, at), firstFrom(tokens, at)]),
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 1],
        [3, 3],
        [4, 4],
      ],
    );
  });
  it('of a million are read in a moment', () => {
    const text = 'a '.repeat(1_000_000);
    const tokens = wordTokens(text);
    const start = process.cpuUsage();
    assert.equal(readTokens(tokens, text).count, 1_000_000);
    assert.ok(process.cpuUsage(start).user < 2_000_000);
  });
});
