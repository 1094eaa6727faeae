// The lines of code and the paragraphs of prose of a file that are written out on a page for paper.
import { linesNear, linesOf } from './lines.ts';
import { paragraphsOf } from './paragraphs.ts';
import type { SourceFile } from './source.ts';

/** A line of code or a paragraph of prose: where it starts and ends, and its first line, from 1. */
export interface Part {
  start: number;
  end: number;
  line: number;
}

/** Lines that are left out between two parts. */
export interface Gap {
  left: number;
}

/** Lines around a match that stay where a text is too long to be written out whole. */
const AROUND = 8;

/** All parts of a file; of one with more than `most`, those near the stretches that are marked in it. */
export function partsShown(
  file: SourceFile,
  marked: readonly { start: number; end: number }[],
  most: number,
): (Part | Gap)[] {
  const all = partsOf(file);
  if (all.length <= most) return all.map(([start, end, line]) => ({ start, end, line }));
  const wanted = linesNear(all, marked, AROUND);
  const out: (Part | Gap)[] = [];
  let left = 0;
  all.forEach(([start, end, line, lines], i) => {
    if (!wanted.has(i)) {
      left += lines;
      return;
    }
    if (left > 0) out.push({ left });
    left = 0;
    out.push({ start, end, line });
  });
  if (left > 0) out.push({ left });
  return out;
}

/** Where each part starts and ends, its first line, and how many lines it has. */
function partsOf({ text, prose }: SourceFile): [number, number, number, number][] {
  if (!prose) return linesOf(text ?? '').map(([start, end], line) => [start, end, line + 1, 1]);
  return paragraphsOf(text ?? '').map(({ start, end, line, lines }) => [start, end, line, lines]);
}
