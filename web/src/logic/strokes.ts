// Where the passages of a pair stand on one side: per file, ascending, ready to be looked up by row.
import type { Passage, Side } from '../data/model.ts';

/** A match (`gap` false), or the stretch from a passage's first to its last match in a file. */
export interface Stroke {
  start: number;
  end: number;
  passage: number;
}

export interface FileStrokes {
  matches: Stroke[];
  extents: Stroke[];
}

/** The strokes of every file of one side. */
export function strokesOf(passages: readonly Passage[], side: Side, files: number): FileStrokes[] {
  const out = Array.from({ length: files }, (): FileStrokes => ({ matches: [], extents: [] }));
  passages.forEach((passage, index) => {
    const extents = new Map<number, Stroke>();
    for (const match of passage.matches) {
      const { file, start, end } = match[side];
      if (!out[file] || end <= start) continue;
      out[file].matches.push({ start, end, passage: index });
      const extent = extents.get(file);
      if (extent) {
        extent.start = Math.min(extent.start, start);
        extent.end = Math.max(extent.end, end);
      } else extents.set(file, { start, end, passage: index });
    }
    for (const [file, extent] of extents) out[file]!.extents.push(extent);
  });
  for (const file of out) {
    file.matches.sort((x, y) => x.start - y.start || x.end - y.end);
    file.extents.sort((x, y) => x.start - y.start || x.end - y.end);
  }
  return out;
}

/** Those of ascending strokes that touch `start..end`. Strokes may overlap a little, not nest deep. */
export function touching<T extends { start: number; end: number }>(
  strokes: readonly T[],
  start: number,
  end: number,
): T[] {
  let low = 0;
  let high = strokes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (strokes[middle]!.start < end) low = middle + 1;
    else high = middle;
  }
  const found: T[] = [];
  // Passages may interleave, so look back a little further than the first that ends too early.
  for (let i = low - 1, misses = 0; i >= 0 && misses < 64; i--) {
    if (strokes[i]!.end > start) found.push(strokes[i]!);
    else misses++;
  }
  return found.reverse();
}
