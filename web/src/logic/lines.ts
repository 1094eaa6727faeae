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
  lines: readonly (readonly [number, number, ...unknown[]])[],
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
  const lines = linesOf(text).map(([start, end]): Fold => ({ start, end, lines: 1 }));
  return foldsAmong(lines, extents, opened, AROUND, FEWEST);
}

/** The same of other parts than lines: `around` of them stay, and `fewest` are worth folding. */
export function foldsAmong(
  parts: readonly Fold[],
  extents: readonly { start: number; end: number }[],
  opened: ReadonlySet<number>,
  around: number,
  fewest: number,
): Fold[] {
  const near = linesNear(
    parts.map(({ start, end }) => [start, end]),
    extents,
    around,
  );
  const folds: Fold[] = [];
  for (let from = 0, part = 0; part <= parts.length; part++) {
    if (part < parts.length && !near.has(part)) continue;
    const folded = parts.slice(from, part);
    const [first, last] = [folded[0], folded.at(-1)];
    if (first && last && folded.length >= fewest && !opened.has(first.start))
      folds.push({
        start: first.start,
        end: last.end,
        lines: folded.reduce((sum, { lines }) => sum + lines, 0),
      });
    from = part + 1;
  }
  return folds;
}
