// From passages to rows: which rows a passage takes on either side.
import type { Passage, Side } from '../data/model.ts';
import type { Band } from './ribbons.ts';
import { rowOf, type Rows } from './rows.ts';
import type { Grey } from './source.ts';
import type { FileStrokes } from './strokes.ts';

export interface Block {
  from: number;
  to: number;
  /** Null for boilerplate. */
  passage: number | null;
}

export function bandsOf(passages: readonly Passage[], a: Rows, b: Rows): Band[] {
  return passages.flatMap((passage, index) => {
    const [onA, onB] = [extent(passage, 'a', a), extent(passage, 'b', b)];
    return onA && onB ? [{ passage: index, a: onA, b: onB }] : [];
  });
}

function extent(passage: Passage, side: Side, rows: Rows): [number, number] | null {
  let first = Infinity;
  let last = -1;
  for (const match of passage.matches) {
    const { file, start, end } = match[side];
    if (end <= start || rows.heads[file] === undefined) continue;
    first = Math.min(first, rowOf(rows, file, start));
    last = Math.max(last, rowOf(rows, file, end - 1));
  }
  return last < 0 ? null : [first, last + 1];
}

/** What the minimap shows: boilerplate below, passages above it. */
export function blocksOf(
  rows: Rows,
  strokes: readonly FileStrokes[],
  grey: readonly (readonly Grey[])[],
): Block[] {
  const out: Block[] = [];
  const add = (file: number, start: number, end: number, passage: number | null) => {
    if (end > start)
      out.push({ from: rowOf(rows, file, start), to: rowOf(rows, file, end - 1) + 1, passage });
  };
  grey.forEach((spans, file) => spans.forEach(({ start, end }) => add(file, start, end, null)));
  strokes.forEach(({ matches }, file) =>
    matches.forEach(({ start, end, passage }) => add(file, start, end, passage)),
  );
  return out;
}

/** Passages by the row at which they begin on one side. */
export function beginsOf(bands: readonly Band[], side: Side): Map<number, number[]> {
  const out = new Map<number, number[]>();
  for (const band of bands) {
    const row = band[side][0];
    const known = out.get(row);
    if (known) known.push(band.passage);
    else out.set(row, [band.passage]);
  }
  return out;
}
