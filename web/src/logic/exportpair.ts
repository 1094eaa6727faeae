// One pair as a single page without scripts, to mail, to print, to put in a file. All text goes
// through one escape function; the page's policy allows its own style and nothing else.
import { chanceSentence } from './chance.ts';
import { WORK_LIMIT } from './said.ts';
import type { Pair, Place, Side } from '../data/model.ts';
import type { Loaded } from '../state/pair.svelte.ts';
import { count, hue, percent, plural, score } from './format.ts';
import { printable } from './hidden.ts';
import { partsShown } from './parts.ts';
import { unitOfSides } from './units.ts';
import { whereInWords } from './where.ts';
import { paint, type Segment } from './paint.ts';
import type { SourceFile } from './source.ts';

export interface ExportSide {
  name: string;
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
  /** Says where prose stands, in another language than English. */
  where?: (first: Place, last: Place) => string;
}

export interface ExportInput extends PassageInput {
  pair: Pair;
  number: number;
  a: ExportSide;
  b: ExportSide;
  mark: string;
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
  const title = escapeHtml(`${a.name} and ${b.name}`);
  return `<!doctype html>
<html lang="en">
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
<p>Pair ${number} of a report by ${escapeHtml(input.tool)}. Score ${score(pair.score)}; ${percent(pair.containment_a)} of A and ${percent(pair.containment_b)} of B lie in these passages; the longest has ${plural(pair.longest, unitOfSides(input.loaded.files))}. The score says how much rare material they share. It is neither a probability nor a verdict.${chanceSentence(pair.expected)}${pair.truncated ? ` ${WORK_LIMIT}` : ''}</p>
${input.mark ? `<p>The reviewer's mark: <b>${escapeHtml(input.mark)}</b></p>` : ''}${input.note ? `<p>Note: ${escapeHtml(input.note)}</p>` : ''}
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

const COUNTED = { word: 'Words', character: 'Characters', token: 'Tokens' } as const;

function passageTable({ loaded, a, b }: ExportInput): string {
  const rows = loaded.passages.slice(0, 500).map((passage, i) => {
    const place = (side: Side, path: (file: number) => string) => {
      const [first, last] = [passage.matches[0]?.[side], passage.matches.at(-1)?.[side]];
      if (!first || !last) return '';
      return `<a href="#${side}-${i + 1}">${escapeHtml(path(first.file))}, ${whereInWords(first, last)}</a>`;
    };
    return `<tr><td><b class="n h${hue(i)}">${i + 1}</b></td><td>${place('a', a.path)}</td><td>${place('b', b.path)}</td><td>${count(passage.tokens)}</td><td>${passage.moved ? 'moved' : ''}</td></tr>`;
  });
  return `<table><caption>Passages</caption><thead><tr><th>No.</th><th>A</th><th>B</th><th>${COUNTED[unitOfSides(loaded.files)]}</th><th>Order</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
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
  if (file.text === null)
    return `${head}<p>This text could no longer be read when the report was written.</p>`;
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
    if ('left' in part) return `<div class="cut">… ${plural(part.left, 'line')} not shown …</div>`;
    const { start, end, line } = part;
    const shown = Math.min(end, start + (file.prose ? 40_000 : 4000));
    const body = paint(file.text!, start, shown, layers).map((segment) => render(segment, name, begun));
    const rest = end > shown ? `<i> … ${plural(end - shown, 'character')} not shown</i>` : '';
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
