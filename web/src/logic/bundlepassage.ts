// One passage of a bundle: rows of a table, A beside B. Code line by line, what matches in one row; prose in
// whole sentences.
import type { Passage, Side } from '../data/model.ts';
import { align, type Line } from './align.ts';
import { excerptsOf, type Excerpt, type ExcerptRow } from './excerpt.ts';
import { escapeHtml, render, type PassageInput } from './exportpair.ts';
import { linesOf } from './lines.ts';
import { paint } from './paint.ts';

export function passageRows(input: PassageInput, passage: Passage, number: number): string {
  const isProse = passage.matches.every(
    ({ a, b }) => input.loaded.files.a[a.file]?.prose && input.loaded.files.b[b.file]?.prose,
  );
  return isProse ? proseRows(input, passage, number) : codeRows(input, passage, number);
}

function codeRows(input: PassageInput, passage: Passage, number: number): string {
  const begun = { a: new Set<number>(), b: new Set<number>() };
  const cell = (side: Side, line: Line | null) => {
    const place = line && lineOf(input, side, line);
    if (!place) return '<td></td>';
    return `<td>${painted(input, side, line.file, place, number, begun[side])}</td>`;
  };
  let files = '';
  const rows = align(passage).map(({ a, b }) => {
    const key = JSON.stringify([a?.file ?? -1, b?.file ?? -1]);
    const head = a && b && key !== files ? headRow(input, a.file, b.file) : '';
    if (a && b) files = key;
    return `${head}<tr>${cell('a', a)}${cell('b', b)}</tr>`;
  });
  return rows.join('');
}

function proseRows(input: PassageInput, passage: Passage, number: number): string {
  const begun = { a: new Set<number>(), b: new Set<number>() };
  const [a, b] = (['a', 'b'] as const).map((side) => excerptsOf(passage, side, input.loaded.files[side]));
  const cell = (side: Side, excerpt: Excerpt | undefined) =>
    `<td class="prose">${(excerpt?.rows ?? []).map((row) => `<p>${painted(input, side, excerpt!.file, row, number, begun[side])}</p>`).join('')}</td>`;
  return Array.from({ length: Math.max(a!.length, b!.length) }, (_, i) => {
    const [onA, onB] = [a![i], b![i]];
    return `${headRow(input, onA?.file, onB?.file, [saidOf(input, onA), saidOf(input, onB)])}<tr>${cell('a', onA)}${cell('b', onB)}</tr>`;
  }).join('');
}

/** Where an excerpt stands, in words. */
function saidOf({ where }: PassageInput, excerpt: Excerpt | undefined): string | undefined {
  return excerpt && (where?.(excerpt.first, excerpt.last) ?? excerpt.where);
}

function headRow(
  { a, b, labels = { a: 'A', b: 'B' } }: PassageInput,
  fileA: number | undefined,
  fileB: number | undefined,
  [whereA, whereB]: (string | undefined)[] = [],
): string {
  const cell = (name: string, path: string | undefined, where: string | undefined) =>
    `<th>${path === undefined ? '' : escapeHtml(`${name}: ${path}${where ? `, ${where}` : ''}`)}</th>`;
  return `<tr class="file">${cell(labels.a, fileA === undefined ? undefined : a.path(fileA), whereA)}${cell(labels.b, fileB === undefined ? undefined : b.path(fileB), whereB)}</tr>`;
}

const known = new WeakMap<object, [number, number][]>();

function lineOf({ loaded }: PassageInput, side: Side, { file, line }: Line): ExcerptRow | null {
  const source = loaded.files[side][file];
  if (!source || source.text === null) return null;
  let lines = known.get(source);
  if (!lines) known.set(source, (lines = linesOf(source.text)));
  const place = lines[line - 1];
  return place ? { line, start: place[0], end: place[1] } : null;
}

/** A stretch of a text with its line's number, coloured by one passage only. */
function painted(
  { loaded, mask, words }: PassageInput,
  side: Side,
  file: number,
  { line, start, end }: ExcerptRow,
  number: number,
  begun: Set<number>,
): string {
  const source = loaded.files[side][file];
  if (!source || source.text === null) return '';
  const strokes = loaded.strokes[side][file] ?? { matches: [], extents: [] };
  const own = {
    matches: strokes.matches.filter(({ passage }) => passage === number),
    extents: strokes.extents.filter(({ passage }) => passage === number),
  };
  begun.add(number);
  const layers = {
    strokes: own,
    grey: source.grey,
    tokens: source.tokens,
    mask,
    depths: [],
    ...(words && { words }),
  };
  const segments = paint(source.text, start, end, layers);
  return `<s>${line}</s>${segments.map((segment) => render(segment, side, begun)).join('')}`;
}
