// The lines of a passage side by side: what matches stands in one row.
import type { Passage } from '../data/model.ts';

/** A line of each side, from 1, with its file; null where the other side has more lines. */
export interface AlignedRow {
  a: Line | null;
  b: Line | null;
}

export interface Line {
  file: number;
  line: number;
}

/** The first line of a passage in a file: in prose, its matches may change places on the second side. */
function leastLine({ matches }: Passage, side: 'a' | 'b', file: number): number {
  const lines = matches.filter((match) => match[side].file === file).map((match) => match[side].first_line);
  return Math.min(...lines);
}

/** Every line of the passage on both sides, in order; lines where a match begins stand in one row. */
export function align(passage: Passage): AlignedRow[] {
  const rows: AlignedRow[] = [];
  /** The last line that is in a row already. */
  const done = { a: { file: -1, line: 0 }, b: { file: -1, line: 0 } };
  const upTo = (side: 'a' | 'b', file: number, from: number, last: number): Line[] => {
    const known = done[side];
    const first = known.file === file ? known.line + 1 : Math.min(from, leastLine(passage, side, file));
    const lines: Line[] = [];
    for (let line = first; line <= last; line++) lines.push({ file, line });
    if (known.file !== file || last > known.line) done[side] = { file, line: last };
    return lines;
  };
  const put = (a: Line[], b: Line[]) => {
    for (let i = 0; i < Math.max(a.length, b.length); i++) rows.push({ a: a[i] ?? null, b: b[i] ?? null });
  };
  for (const { a, b } of passage.matches) {
    put(upTo('a', a.file, a.first_line, a.first_line - 1), upTo('b', b.file, b.first_line, b.first_line - 1));
    put(upTo('a', a.file, a.first_line, a.last_line), upTo('b', b.file, b.first_line, b.last_line));
  }
  return rows;
}
