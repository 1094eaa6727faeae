// One pair as a single page without scripts, to mail, to print, to put in a file. All text goes
// through one escape function; the page's policy allows its own style and nothing else.
import { chanceInWords } from './chance.ts';
import { counted, pageWords, say } from './say.ts';
import type { Pair, Place, Side } from '../data/model.ts';
import type { Loaded } from '../state/pair.svelte.ts';
import { count, hue, percent, score } from './format.ts';
import { printable } from './hidden.ts';
import { MARK_NAMES, type MarkName } from './review.ts';
import { partsShown } from './parts.ts';
import { sizeIn, unitOfSides, type Unit } from './units.ts';
import { whereInWords } from './where.ts';
import { paint, type Segment } from './paint.ts';
import type { SourceFile } from './source.ts';
import type { Key, Words } from './wording.ts';

export interface ExportSide {
  name: string;
  /** What it is called whatever its number is. */
  id: string;
  author: string | null;
  label: string | null;
  submitted: string | null;
  path: (file: number) => string;
}

/** What the rows of a passage are made of. */
export interface PassageInput {
  loaded: Loaded;
  a: Pick<ExportSide, 'path'>;
  b: Pick<ExportSide, 'path'>;
  mask: ReadonlySet<string> | null;
  /** The names of the sides above their files; `A` and `B` if left out. */
  labels?: Record<Side, string>;
  /** Says where prose stands, in another language than the page's. */
  where?: (first: Place, last: Place) => string;
  /** The words of another language than the page's. */
  words?: Words;
}

export interface ExportInput extends PassageInput {
  pair: Pair;
  number: number;
  /** What the pair is called whatever its rank is. */
  id: string;
  a: ExportSide;
  b: ExportSide;
  mark: MarkName | '';
  note: string;
  tool: string;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (c) => ENTITIES[c]!);
}

export function exportPair(input: ExportInput): string {
  const { a, b, pair, number } = input;
  const title = escapeHtml(say('two', { name: a.name, other: b.name }));
  const about = say('export-pair', {
    n: String(number),
    tool: input.tool,
    score: score(pair.score),
    ofA: percent(pair.containment_a),
    ofB: percent(pair.containment_b),
    longest: sizeIn(unitOfSides(input.loaded.files), pair.longest),
  });
  return `<!doctype html>
<html lang="${pageWords().language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${escapeHtml([about, ...remarksOn(pair)].join(' '))}</p>
${reviewOf(input)}
</header>
${passageTable(input)}
<main>
${side(input, 'a')}
${side(input, 'b')}
</main>
</body>
</html>
`;
}

/** Sentences on a pair: how often chance gives one like it, and that its matching met a limit. */
export const remarksOn = ({ expected, truncated }: Pair): string[] => [
  ...(expected === undefined ? [] : [chanceInWords(expected)]),
  ...(truncated ? [say('limited')] : []),
];

/** The reviewer's mark and note as HTML. */
export function reviewOf({ mark, note }: Pick<ExportInput, 'mark' | 'note'>): string {
  const name = mark && escapeHtml(say(MARK_NAMES[mark]));
  return `${name ? `<p>${escapeHtml(say('reviewers-mark-line'))} <b>${name}</b></p>` : ''}${note ? `<p>${escapeHtml(say('note-text', { note }))}</p>` : ''}`;
}

const COUNTED: Record<Unit, Key> = { word: 'head-words', character: 'head-characters', token: 'head-tokens' };

function passageTable({ loaded, a, b }: ExportInput): string {
  const rows = loaded.passages.slice(0, 500).map((passage, i) => {
    const place = (side: Side, path: (file: number) => string) => {
      const [first, last] = [passage.matches[0]?.[side], passage.matches.at(-1)?.[side]];
      if (!first || !last) return '';
      return `<a href="#${side}-${i + 1}">${escapeHtml(path(first.file))}, ${whereInWords(first, last)}</a>`;
    };
    return `<tr><td><b class="n h${hue(i)}">${i + 1}</b></td><td>${place('a', a.path)}</td><td>${place('b', b.path)}</td><td>${count(passage.tokens)}</td><td>${passage.moved ? escapeHtml(say('moved')) : ''}</td></tr>`;
  });
  const head = [say('head-number'), 'A', 'B', say(COUNTED[unitOfSides(loaded.files)]), say('head-order')];
  return `<table><caption>${escapeHtml(say('passages-region'))}</caption><thead><tr>${head.map((name) => `<th>${escapeHtml(name)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Of texts with more lines than this, only the passages and the lines around them are shown. */
const WHOLE_LINES = 6000;

function side(input: ExportInput, name: Side): string {
  const who = input[name];
  const about = [who.author, who.label, who.submitted]
    .filter((part) => part !== null)
    .map((part) => escapeHtml(part));
  const files = input.loaded.files[name].map((file, i) => renderFile(input, name, file, i));
  return `<section><h2>${name.toUpperCase()}: ${escapeHtml(who.name)}</h2><p>${about.join(' · ')}</p>${files.join('')}</section>`;
}

function renderFile(input: ExportInput, name: Side, file: SourceFile, index: number): string {
  const head = `<h3>${escapeHtml(input[name].path(index))}</h3>`;
  if (file.text === null) return `${head}<p>${escapeHtml(say('text-unreadable'))}</p>`;
  const strokes = input.loaded.strokes[name][index] ?? { matches: [], extents: [] };
  const layers = {
    strokes,
    grey: file.grey,
    tokens: file.tokens,
    mask: input.mask,
    depths: [],
  };
  const begun = new Set<number>();
  const out = partsShown(file, strokes.extents, WHOLE_LINES).map((part) => {
    if ('left' in part) return `<div class="cut">${escapeHtml(counted('lines-not-shown', part.left))}</div>`;
    const { start, end, line } = part;
    const shown = Math.min(end, start + (file.prose ? 40_000 : 4000));
    const body = paint(file.text!, start, shown, layers).map((segment) => render(segment, name, begun));
    const rest = end > shown ? `<i> ${escapeHtml(counted('characters-not-shown', end - shown))}</i>` : '';
    return `<div><s>${line}</s>${body.join('')}${rest}</div>`;
  });
  return `${head}<pre${file.prose ? ' class="prose"' : ''}>${out.join('')}</pre>`;
}

export function render(segment: Segment, side: Side, begun: Set<number>): string {
  const text = escapeHtml(segment.hidden ? segment.text : segment.text.replace(/[^\t\r\n]+/g, printable));
  if (segment.hidden) return `<em>${text}</em>`;
  if (segment.page) return `<b class="page">${text}</b> `;
  if (segment.kind === 'left-out' && !segment.grey) return `<span class="out">${text}</span>`;
  const passage = segment.match ?? segment.gap;
  if (passage === null) return segment.grey ? `<span class="grey">${text}</span>` : text;
  const other = side === 'a' ? 'b' : 'a';
  const first = !begun.has(passage);
  begun.add(passage);
  const number = first
    ? `<a class="n h${hue(passage)}" id="${side}-${passage + 1}" href="#${other}-${passage + 1}">${passage + 1}</a>`
    : '';
  return `${number}<span class="${segment.match === null ? 'gap' : 'match'} h${hue(passage)}">${text}</span>`;
}

const HUES = [
  ['#cfe3f7', '#155a99'],
  ['#fbdcc4', '#98430a'],
  ['#d3ecd2', '#23662c'],
  ['#e6dcf5', '#6339a6'],
  ['#f9d6e1', '#a01f52'],
  ['#cdebea', '#0b6062'],
  ['#f5e6a9', '#6b5200'],
  ['#e4dcd3', '#654a30'],
];

export const STYLE = `
body{font:14px/1.5 system-ui,sans-serif;margin:24px;color:#1c1d1f;background:#fff;color-scheme:light}
header{max-width:80ch}h1{font-size:20px}h2{font-size:16px}h3{font-size:13px;background:#efefec;padding:3px 8px;margin:12px 0 0}
table{border-collapse:collapse;margin:16px 0}caption{text-align:left;font-weight:600}td,th{text-align:left;padding:2px 14px 2px 0}
main{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:20px}
pre{font:11.5px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:0;tab-size:4}
.prose{font:13px/1.55 system-ui,sans-serif;white-space:normal;overflow-wrap:break-word}.prose div{min-height:1.55em}
s{display:inline-block;min-width:4ch;text-align:right;margin-right:1ch;color:#5a5d63;text-decoration:none;user-select:none}
.cut,.out{color:#5a5d63;font-style:italic}.grey{color:#62656b;background:#ececea}em{background:#fbe7e8;color:#a11d2c;font-style:normal;font-weight:700;font-size:10px}
.page{color:#5a5d63;font-size:10px;font-weight:400;border:1px solid #d0d2d5;border-radius:3px;padding:0 4px}
.n{color:#fff;border-radius:3px;padding:0 4px;font:600 11px system-ui;text-decoration:none;margin-right:2px}
${HUES.map(([fill, strong], i) => `.match.h${i}{background:${fill}}.gap.h${i}{border-bottom:2px solid ${strong}}.n.h${i}{background:${strong}}`).join('\n')}
:target{outline:3px solid #1c1d1f}
@media(max-width:700px){main{grid-template-columns:minmax(0,1fr)}}
@media print{body{margin:0}*{print-color-adjust:exact}}
`;
