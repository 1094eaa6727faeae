// Coverage, ribbons, why, search, time, pseudonyms, CSV and the exported page.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { numbered, pseudonyms } from '../../src/logic/anonymise.ts';
import { beginsOf, bandsOf } from '../../src/logic/bands.ts';
import { coverage, sharedTokens } from '../../src/logic/coverage.ts';
import { bySource } from '../../src/logic/sources.ts';
import { stretches } from '../../src/logic/stretches.ts';
import { parseCsv, safeText, toCsv } from '../../src/logic/csv.ts';
import { readReview } from '../../src/logic/review.ts';
import { escapeHtml, exportPair } from '../../src/logic/exportpair.ts';
import { count, percent } from '../../src/logic/format.ts';
import { align } from '../../src/logic/align.ts';
import { personOf } from '../../src/logic/person.ts';
import { matchesQuery, parseQuery, type Facts } from '../../src/logic/query.ts';
import { counterpart, ribbonPath, ribbons } from '../../src/logic/ribbons.ts';
import { layOut } from '../../src/logic/rows.ts';
import { duration, orderOf, parseTime, showTime } from '../../src/logic/time.ts';
import { explain } from '../../src/logic/why.ts';
import { sourceFile } from '../../src/logic/source.ts';
import type { TextData } from '../../src/data/model.ts';
import { strokesOf } from '../../src/logic/strokes.ts';
import { PAYLOADS } from '../payloads.ts';
import { pair } from '../pair.ts';
import { codeTokens, wordTokens } from '../tokens.ts';

const place = (start: number, end: number) => ({ file: 0, start, end, first_line: 1, last_line: 1 });

describe('sources', () => {
  it('gives each stretch to the first source that has it', () => {
    const spans = [
      { start: 0, end: 10, source: 2 },
      { start: 4, end: 6, source: 0 },
      { start: 5, end: 14, source: 1 },
      { start: 20, end: 22, source: 1 },
      { start: 22, end: 25, source: 1 },
      { start: 30, end: 30, source: 0 },
    ];
    const stretch = (start: number, end: number, passage: number) => ({ start, end, passage });
    assert.deepEqual(bySource(spans), [
      stretch(0, 4, 2),
      stretch(4, 6, 0),
      stretch(6, 14, 1),
      stretch(20, 25, 1),
    ]);
    assert.deepEqual(bySource([]), []);
  });
});

describe('stretches', () => {
  it('are what looking at every place one by one finds', () => {
    let state = 5;
    const next = (below: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
    for (let round = 0; round < 300; round++) {
      const spans = Array.from({ length: next(9) }, () => {
        const start = next(20);
        return { start, end: start + next(8), owner: next(4) };
      });
      const at = (place: number) =>
        [...new Set(spans.filter(({ start, end }) => start <= place && place < end).map((s) => s.owner))]
          .sort()
          .join();
      const found = stretches(
        spans,
        ({ owner }) => owner,
        (open) => [...open.keys()].sort().join(),
      );
      const places = Array.from({ length: 30 }, (_, place) => place);
      const value = (place: number) => found.filter(({ start, end }) => start <= place && place < end);
      assert.deepEqual(
        places.map((place) => value(place).map(({ value }) => value)),
        places.map((place) => (at(place) === '' ? [] : [at(place)])),
      );
      found.slice(1).forEach((one, i) => {
        const before = found[i]!;
        assert.ok(before.end < one.start || (before.end === one.start && before.value !== one.value));
      });
    }
  });
});

describe('coverage', () => {
  it('counts different partners, not matches', () => {
    const spans = [
      { start: 0, end: 10, partner: 1 },
      { start: 5, end: 15, partner: 2 },
      { start: 6, end: 8, partner: 2 },
    ];
    const depths = coverage(spans);
    assert.deepEqual(depths, [
      { start: 0, end: 5, depth: 1 },
      { start: 5, end: 10, depth: 2 },
      { start: 10, end: 15, depth: 1 },
    ]);
    assert.deepEqual(coverage([{ start: 3, end: 3, partner: 1 }]), []);
  });
  it('is counted in tokens, boilerplate left out', () => {
    const text = 'one two three /* four */ five six';
    const grey: TextData['grey'] = [[0, 3, 'given']];
    const file = sourceFile('', 'c', { text, cut: 0, grey, tokens: codeTokens(text) });
    const depths = [
      { start: 0, end: 13, depth: 2 },
      { start: 25, end: 29, depth: 1 },
    ];
    assert.deepEqual(sharedTokens([file, file], [depths, []]), { counted: 8, shared: 3 });
  });
});

describe('ribbons', () => {
  const view = { scrollA: 0, scrollB: 0, row: 20, height: 400, width: 50 };
  const band = (a: [number, number], b: [number, number]) => ({ passage: 0, a, b });
  it('are drawn if one end is in view', () => {
    assert.equal(ribbons([band([1, 3], [100, 110])], view).length, 1);
    assert.equal(ribbons([band([200, 210], [100, 110])], view).length, 0);
    assert.equal(ribbons([band([1, 3], [1, 3])], { ...view, scrollA: 900, scrollB: 900 }).length, 0);
  });
  it('join the two sides level at both ends', () => {
    assert.equal(ribbonPath(0, 10, 20, 40, 50), 'M0 0C25 0 25 20 50 20V40C25 40 25 10 0 10Z');
  });
  it('have their number where it can be seen', () => {
    const [seen] = ribbons([band([2, 4], [6, 8])], view);
    assert.deepEqual(seen!.label, { x: 25, y: 100 });
    assert.equal(ribbons([band([1, 3], [300, 310])], view)[0]!.label, null);
    assert.equal(ribbons([band([0, 1], [0, 0])], view)[0]!.label, null);
  });
  it('tell where the other side belongs', () => {
    const bands = [band([10, 20], [110, 120]), band([40, 60], [0, 10])];
    assert.equal(counterpart(bands, 15, 'a'), 115);
    assert.equal(counterpart(bands, 5, 'b'), 50);
    assert.equal(counterpart(bands, 8, 'a'), 108);
    assert.equal(counterpart([], 8, 'a'), null);
  });
  it('take the rows of their passages', () => {
    const rows = layOut([sourceFile('', 'c', { text: 'ab\ncd\nef\n', cut: 0, grey: [], tokens: '' })], 80);
    const passages = [{ tokens: 2, moved: false, matches: [{ tokens: 1, a: place(3, 5), b: place(0, 8) }] }];
    const bands = bandsOf(passages, rows, rows);
    assert.deepEqual(bands, [{ passage: 0, a: [2, 3], b: [1, 4] }]);
    assert.deepEqual([...beginsOf(bands, 'a')], [[2, [0]]]);
  });
});

describe('why', () => {
  /** A passage of one match that is all of both texts. */
  const why = (a: string, b: string, tokens = codeTokens, grey: TextData['grey'] = [], language = '') => {
    const [fileA, fileB] = [a, b].map((text) =>
      sourceFile('', language, { text, cut: 0, grey: text === a ? grey : [], tokens: tokens(text) }),
    );
    const match = { tokens: fileA!.tokens.count, a: place(0, a.length), b: place(0, b.length) };
    return explain(
      { tokens: match.tokens, moved: false, matches: [match] },
      () => fileA,
      () => fileB,
    );
  };
  const reasons = (a: string, b: string, tokens = codeTokens) =>
    why(a, b, tokens).differences.map(({ reason, a, b, count }) => `${reason} ${a} ${b} ${count}`);

  it('finds nothing in equal texts', () => {
    const result = why('int a = 1;', 'int a = 1;');
    assert.deepEqual([result.compared, result.equal, result.layout], [5, 5, false]);
  });
  it('finds renamed names, and whether they are so throughout', () => {
    const result = why('sum = sum + item;', 'total = total + item;');
    assert.deepEqual(
      result.differences.map(({ reason, a, b, count, consistent }) => [reason, a, b, count, consistent]),
      [['renamed', 'sum', 'total', 2, true]],
    );
    const mixed = why('a = a + a;', 'x = y + x;');
    assert.ok(mixed.differences.every(({ consistent }) => !consistent));
  });
  it('finds other numbers and strings', () => {
    assert.deepEqual(reasons('f(1, "a")', 'f(2, "b")'), ['number 1 2 1', 'string "a" "b" 1']);
  });
  it('finds case, look-alikes, hidden characters and other forms', () => {
    assert.deepEqual(reasons('Total', 'total'), ['case Total total 1']);
    assert.deepEqual(reasons('copy that', 'сору that', wordTokens), ['look-alike copy сору 1']);
    assert.deepEqual(reasons('copy that', 'coрy that', wordTokens), ['look-alike copy coрy 1']);
    assert.deepEqual(reasons('the text', 'the te\u200bxt', wordTokens), ['hidden text te\u200bxt 1']);
    assert.deepEqual(reasons('caf\u00e9', 'cafe\u0301', wordTokens), ['form caf\u00e9 cafe\u0301 1']);
    assert.deepEqual(reasons('co-operate', 'cooperate', wordTokens), ['punctuation co-operate cooperate 1']);
  });
  it('names the plainer of two reasons at once', () => {
    assert.deepEqual(reasons('e\u0301lan', '\u00c9lan', wordTokens), ['case e\u0301lan \u00c9lan 1']);
    assert.deepEqual(reasons('\uff34otal', 'total'), ['case \uff34otal total 1']);
  });
  it('reads a notebook as it is shown, however its characters are written', () => {
    const one = '"H\\u00e9llo\\n", "w\\u00f6rld"';
    const other = '"Héllo\\n", "wörld"';
    // Each word is a token, with the escapes in it.
    const words = (text: string) => wordTokens(text.replace(/\\u..../g, 'xxxxxx').replace(/\\n/g, '  '));
    const result = why(one, other, words, [], 'notebook');
    assert.deepEqual([result.compared, result.equal, result.differences], [2, 2, []]);
    assert.equal(why(one, other, words).differences.length, 2);
  });
  it('leaves comments and layout out, and says so', () => {
    const result = why('int a; // one\nint b;', 'int a;   int /* two */ b /* one */;');
    assert.deepEqual([result.compared, result.equal, result.layout], [6, 6, false]);
    assert.deepEqual(result.leftOut, { a: 1, b: 2, shared: 0 });
    assert.ok(why('int a;', 'int  a;').layout);
    const same = why('int a; // one  two\nint b;', 'int a; // one two\nint b;');
    assert.deepEqual(same.leftOut, { a: 1, b: 1, shared: 1 });
  });
  it('counts no boilerplate, as the passage does not', () => {
    const result = why('int a; int b;', 'int x; int y;', codeTokens, [[0, 6, 'given']]);
    assert.deepEqual([result.compared, result.equal, result.boilerplate], [3, 2, 3]);
    assert.deepEqual(
      result.differences.map(({ a, b }) => a + b),
      ['by'],
    );
  });
  it('says when it does not have all of the passage', () => {
    const file = sourceFile('', '', { text: 'a b', cut: 9, grey: [], tokens: codeTokens('a b') });
    const match = { tokens: 5, a: place(0, 3), b: place(0, 3) };
    const result = explain(
      { tokens: 5, moved: false, matches: [match] },
      () => file,
      () => file,
    );
    assert.deepEqual([result.compared, result.partial], [2, true]);
    const none = explain(
      { tokens: 5, moved: false, matches: [match] },
      () => null,
      () => undefined,
    );
    assert.equal(none.compared, 0);
  });
});

describe('the search', () => {
  const facts: Facts = {
    text: 'ada\nbruno',
    numbers: { score: 0.7, in: 60, longest: 120, matched: 300, passages: 3 },
    flags: { moved: true, archive: false },
    labels: ['group A'],
    mark: 'copied',
    note: 'talk',
  };
  const finds = (text: string) => matchesQuery(parseQuery(text), facts);
  it('takes words and conditions together', () => {
    for (const query of [
      '',
      'ADA',
      'ada bruno',
      'score:>0.6',
      'in:>=60',
      'in:>50%',
      'longest:120',
      'longest:=120',
      'moved:yes',
      'archive:no',
      'label:"group a"',
      'mark:cop',
      'note:talk',
      'note:',
    ]) {
      assert.ok(finds(query), query);
    }
    for (const query of [
      'carla',
      'ada carla',
      'score:>0.8',
      'in:<50',
      'longest:<120',
      'moved:no',
      'label:b',
      'mark:innocent',
      'mark:none',
      'pairs:>0',
      'pairs:<9',
      'within:yes',
    ]) {
      assert.ok(!finds(query), query);
    }
  });
  it('never fails on what it does not understand', () => {
    for (const query of ['constructor:x', '__proto__:1', 'score:', 'score:abc', '":', '(((', 'toString:>1'])
      finds(query);
  });
});

describe('hand-in times', () => {
  it('are read as far as they are times', () => {
    assert.equal(parseTime('2026-03-01T17:42:00Z'), Date.UTC(2026, 2, 1, 17, 42));
    assert.equal(parseTime('2026-03-01 17:42'), Date.UTC(2026, 2, 1, 17, 42));
    assert.equal(parseTime('2026-03-01T17:42:00+01:00'), Date.UTC(2026, 2, 1, 16, 42));
    assert.equal(parseTime('2026-03-01'), Date.UTC(2026, 2, 1));
    for (const text of [null, '', 'yesterday', '<script>', '2026-99-99', '1'])
      assert.equal(parseTime(text), null);
  });
  it('give an order, with the archive first', () => {
    const at = (submitted: string | null, role = 'new') => ({ role, submitted });
    assert.equal(orderOf(at('2026-03-01'), at('2026-03-02')), 'a-first');
    assert.equal(orderOf(at('2026-03-02'), at('2026-03-01')), 'b-first');
    assert.equal(orderOf(at('2026-03-02'), at(null, 'archive')), 'b-first');
    assert.equal(orderOf(at(null), at('2026-03-01')), 'unknown');
    assert.equal(orderOf(at('2026-03-01'), at('2026-03-01')), 'together');
  });
  it('are shown the same everywhere', () => {
    assert.equal(showTime(Date.UTC(2026, 2, 1, 7, 5)), '1 Mar 2026, 07:05');
    assert.deepEqual(
      [90, 60 * 26, 60 * 24 * 5].map((minutes) => duration(minutes * 60_000)),
      ['1\u00a0h\u00a030\u00a0min', '26\u00a0h', '5\u00a0days'],
    );
  });
});

describe('pseudonyms', () => {
  const names = Array.from({ length: 9000 }, (_, i) => `student-${i}`);
  it('are different, and the same at every run', () => {
    const given = pseudonyms(names);
    assert.equal(new Set(given).size, names.length);
    assert.deepEqual(pseudonyms(names), given);
  });
  it('say nothing of the order of names', () => {
    const given = pseudonyms(names.slice(0, 50));
    assert.notDeepEqual([...given].sort(), given);
    const labels = numbered(['b', 'a', 'b', 'c']);
    assert.equal(new Set(labels.values()).size, 3);
  });
  it('do not change when submissions come in another order', () => {
    const [one, two] = [pseudonyms(['a', 'b', 'c']), pseudonyms(['c', 'b', 'a'])];
    assert.deepEqual(one, two.reverse());
  });
});

describe('CSV', () => {
  it('makes no formula of any text', () => {
    for (const [text, expected] of [
      ['ada', 'ada'],
      ['x-1 = y+z@w', 'x-1 = y+z@w'],
      ['=1+1', "'=1+1"],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['\t=1', "'\\t=1"],
      ['  =1', "'  =1"],
      ['\uFF1D1', "'\uFF1D1"],
      ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
      ['\u001b]0;x', '\\u{1b}]0;x'],
    ] as const)
      assert.equal(safeText(text), expected);
  });
  it('quotes what would be more than one cell', () => {
    const sheet = {
      name: 's',
      columns: ['a', 'b'],
      rows: [
        ['x,"y"\nz', 0.25],
        [null, 3],
        [undefined, NaN],
      ],
    };
    assert.equal(toCsv(sheet), 'a,b\n"x,""y""\\nz",0.2500\n,3\n,\n');
  });
  it('lets no payload start a cell', () => {
    for (const payload of PAYLOADS)
      assert.doesNotMatch(
        toCsv({ name: 's', columns: ['x'], rows: [[payload]] }).split('\n')[1]!,
        /^"?[=+@-]/,
      );
  });
});

describe('marks of another reviewer', () => {
  it('are read back as they were written, also from a spreadsheet', () => {
    const sheet = {
      name: 'review',
      columns: 'rank a b score mark note reviewer'.split(' '),
      rows: [
        [1, '=ada', 'bruno; carla', 0.5, 'copied', '=talk to "both"', 'Bea'],
        ['', 'dana', '', '', 'unsure', "'tis odd", 'Bea'],
        ['', 'emre', '', '', 'guilty', '', 'Bea'],
      ],
    };
    const expected = [
      { a: "'=ada", b: 'bruno; carla', mark: 'copied', note: '=talk to "both"', reviewer: 'Bea' },
      { a: 'dana', b: '', mark: 'unsure', note: "'tis odd", reviewer: 'Bea' },
    ];
    const csv = toCsv(sheet);
    assert.deepEqual(readReview(csv), expected);
    const quoted = parseCsv(csv).map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'));
    assert.deepEqual(readReview(`\uFEFF${quoted.join('\r\n')}`), expected);
  });
  it('are taken from no other table', () => {
    for (const text of ['', 'a,b', 'x', '"', '""', ',;\n\n', 'a,b,mark']) {
      const read = readReview(text);
      assert.ok(read === null || read.length === 0, text);
    }
  });
});

describe('the exported page', () => {
  const side = (name: string) => ({
    name,
    id: name,
    author: name,
    label: name,
    submitted: null,
    path: () => name,
  });
  const page = (payload: string) => {
    const text = `${payload}\nint x;\n`;
    const passages = [{ tokens: 3, moved: true, matches: [{ tokens: 3, a: place(0, 5), b: place(1, 6) }] }];
    // What a damaged report may hold, whatever the types say.
    const grey = [[2, 4, payload]] as unknown as TextData['grey'];
    const files = [sourceFile(payload, payload, { text, cut: 0, grey, tokens: codeTokens(text) })];
    const loaded = {
      passages,
      metadata: [],
      files: { a: files, b: files },
      strokes: { a: strokesOf(passages, 'a', 1), b: strokesOf(passages, 'b', 1) },
    };
    return exportPair({
      pair: pair(0, 1, 0.5),
      number: 1,
      id: payload,
      loaded,
      a: side(payload),
      b: side(payload),
      mark: 'copied',
      note: payload,
      mask: null,
      tool: payload,
    });
  };
  const TAGS = new Set(
    '!doctype html head meta title style body header main section h1 h2 h3 p table caption thead tbody tr th td pre div s b i em a span'.split(
      ' ',
    ),
  );
  it('is made of our own elements, whatever the texts hold', () => {
    for (const payload of PAYLOADS) {
      for (const [, name] of page(payload)
        .replace(/<style>[^<]*<\/style>/, '')
        .matchAll(/<\/?([^\s>]+)/g)) {
        assert.ok(TAGS.has(name!.toLowerCase()), `<${name}> from ${payload}`);
      }
    }
  });
  it('has no attribute that could run anything', () => {
    for (const payload of PAYLOADS) {
      for (const [tag] of page(payload).matchAll(/<[a-z][^>]*>/g)) {
        for (const [, name, value] of tag.matchAll(/\s([\w-]+)="([^"]*)"/g)) {
          assert.ok(
            ['lang', 'charset', 'http-equiv', 'content', 'name', 'class', 'id', 'href'].includes(name!),
            tag,
          );
          if (name === 'href') assert.match(value!, /^#[ab]-\d+$/);
        }
      }
    }
  });
  it('escapes what means something', () =>
    assert.equal(escapeHtml(`<a b="c" d='e'>&\``), '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&#96;'));
});

describe('numbers', () => {
  it('are shown for people', () => {
    assert.equal(count(1234567), '1\u202f234\u202f567');
    assert.deepEqual([0, 0.001, 0.5, 0.999, 1, NaN].map(percent), [
      '0\u202f%',
      '<1\u202f%',
      '50\u202f%',
      '99\u202f%',
      '100\u202f%',
      '–',
    ]);
  });
});

describe('persons', () => {
  it('are taken from the names that learning platforms give', () => {
    for (const [name, expected] of [
      ['Ada Lindqvist_1011840_assignsubmission_file', { name: 'Ada Lindqvist', id: '1011840' }],
      ['week1/Ada Lindqvist_1011840_assignsubmission_file_', { name: 'Ada Lindqvist', id: '1011840' }],
      ['Jo_de_Vries_77_assignsubmission_onlinetext.zip', { name: 'Jo_de_Vries', id: '77' }],
      ['lindqvistada_12345_678901_inventory.py', { name: 'lindqvistada', id: '12345' }],
      ['lindqvistada_LATE_12345_678901_my_inventory.py', { name: 'lindqvistada', id: '12345' }],
      ['submissions/ada', null],
      ['group_7', null],
      ['2026_03_01_essay.txt', null],
      ['essay_2026_03_01.txt', null],
      ['', null],
    ] as const)
      assert.deepEqual(personOf(name), expected, name);
  });
});

describe('passages side by side', () => {
  it('have every line once, in order, and matches in one row', () => {
    const place = (file: number, first_line: number, last_line: number) => ({
      file,
      first_line,
      last_line,
      start: 0,
      end: 0,
    });
    const matches = [
      { tokens: 9, a: place(0, 3, 5), b: place(0, 10, 12) },
      // On the line where the last one ended, then four lines on one side and one on the other.
      { tokens: 9, a: place(0, 5, 5), b: place(0, 12, 13) },
      { tokens: 9, a: place(0, 9, 10), b: place(0, 14, 14) },
      { tokens: 9, a: place(1, 2, 3), b: place(0, 20, 21) },
    ];
    const rows = align({ tokens: 36, moved: false, matches });
    const lines = (side: 'a' | 'b') => rows.flatMap((row) => (row[side] ? [row[side]] : []));
    assert.deepEqual(
      lines('a').map(({ file, line }) => `${file}:${line}`),
      ['0:3', '0:4', '0:5', '0:6', '0:7', '0:8', '0:9', '0:10', '1:2', '1:3'],
    );
    assert.deepEqual(
      lines('b').map(({ line }) => line),
      Array.from({ length: 12 }, (_, i) => 10 + i),
    );
    const beside = (line: number) => rows.find(({ a }) => a?.line === line && a.file === 0)?.b?.line;
    assert.deepEqual([beside(3), beside(9)], [10, 14]);
  });
});
