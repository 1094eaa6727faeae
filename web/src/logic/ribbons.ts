// Geometry of the ribbons that join a passage's two sides. Plain numbers, so that it can be tested.

export interface Band {
  passage: number;
  /** Rows on either side: first, and one past the last. */
  a: [number, number];
  b: [number, number];
}

export interface View {
  /** Pixels scrolled on either side, the height of a row and of the panes, the gutter's width. */
  scrollA: number;
  scrollB: number;
  row: number;
  height: number;
  width: number;
}

export interface Ribbon {
  passage: number;
  path: string;
  /** Middle of the ribbon, where its number stands; null if that is out of view. */
  label: { x: number; y: number } | null;
}

/** The ribbons of which at least one end is in view. */
export function ribbons(bands: readonly Band[], view: View): Ribbon[] {
  const out: Ribbon[] = [];
  for (const band of bands) {
    const a = band.a.map((row) => row * view.row - view.scrollA) as [number, number];
    const b = band.b.map((row) => row * view.row - view.scrollB) as [number, number];
    // At least one end must be in view: too many others pass through.
    const seen = ([from, to]: [number, number]) => to > 0 && from < view.height;
    if (!seen(a) && !seen(b)) continue;
    // Far ends are drawn just out of view: very long paths are slow, and lose their shape.
    const near = (y: number) => Math.max(-400, Math.min(view.height + 400, y));
    const [a0, a1, b0, b1] = [...a, ...b].map(near) as [number, number, number, number];
    const y = (a0 + a1 + b0 + b1) / 4;
    out.push({
      passage: band.passage,
      path: ribbonPath(a0, a1, b0, b1, view.width),
      label: y > 8 && y < view.height - 8 ? { x: view.width / 2, y } : null,
    });
  }
  return out;
}

/** A band from `a0..a1` at the left to `b0..b1` at the right, level at both ends. */
export function ribbonPath(a0: number, a1: number, b0: number, b1: number, width: number): string {
  const middle = round(width / 2);
  const w = round(width);
  const [p, q, r, s] = [a0, a1, b0, b1].map(round);
  return `M0 ${p}C${middle} ${p} ${middle} ${r} ${w} ${r}V${s}C${middle} ${s} ${middle} ${q} 0 ${q}Z`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** The place on the other side that belongs to a row, read off the nearest band; for scrolling. */
export function counterpart(bands: readonly Band[], row: number, from: 'a' | 'b'): number | null {
  const to = from === 'a' ? 'b' : 'a';
  let best: Band | null = null;
  let distance = Infinity;
  for (const band of bands) {
    const [first, last] = band[from];
    const away = row < first ? first - row : row >= last ? row - last + 1 : 0;
    if (away < distance) [best, distance] = [band, away];
  }
  if (!best) return null;
  const [first, last] = best[from];
  const [other, otherLast] = best[to];
  const share = Math.min(1, Math.max(0, (row - first) / Math.max(1, last - first)));
  const outside = row < first ? row - first : row >= last ? row - last + 1 : 0;
  return Math.round(other + share * (otherLast - other)) + outside;
}
