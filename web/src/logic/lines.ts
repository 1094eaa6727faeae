// The lines of a text, and those of them that are worth showing.

/** Where each line starts and ends, without its line end. */
export function linesOf(text: string): [number, number][] {
  const lines: [number, number][] = [];
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    lines.push([start, end > start && text[end - 1] === '\r' ? end - 1 : end]);
    start = end + 1;
  }
  return lines;
}

/** The indices of the lines that some stretches touch, and of `around` lines before and behind each. */
export function linesNear(
  lines: readonly [number, number][],
  extents: readonly { start: number; end: number }[],
  around: number,
): Set<number> {
  const wanted = new Set<number>();
  const lineAt = (at: number) => {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lines[middle]![0] <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  for (const { start, end } of extents) {
    const last = Math.min(lines.length - 1, lineAt(end) + around);
    for (let line = Math.max(0, lineAt(start) - around); line <= last; line++) wanted.add(line);
  }
  return wanted;
}

/** A stretch of whole lines that is shown as one row. */
export interface Fold {
  start: number;
  end: number;
  lines: number;
}

/** Lines around a match that stay, and the fewest lines that are worth folding. */
const AROUND = 3;
const FEWEST = 6;

/** The stretches of a text without a match, but for those that begin at a place that was `opened`. */
export function foldsOf(
  text: string,
  extents: readonly { start: number; end: number }[],
  opened: ReadonlySet<number>,
): Fold[] {
  const lines = linesOf(text);
  const near = linesNear(lines, extents, AROUND);
  const folds: Fold[] = [];
  for (let from = 0, line = 0; line <= lines.length; line++) {
    if (line < lines.length && !near.has(line)) continue;
    const [first, last] = [lines[from], lines[line - 1]];
    if (line - from >= FEWEST && !opened.has(first![0]))
      folds.push({ start: first![0], end: last![1], lines: line - from });
    from = line + 1;
  }
  return folds;
}
