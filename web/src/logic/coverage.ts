// How much of one text is shared with how many others: a sweep over the ends of all matches.

export interface Depth {
  start: number;
  end: number;
  /** Partners that share this stretch; at least 1. */
  depth: number;
}

/** Stretches by the number of different partners; ascending, apart, equal neighbours joined. */
export function coverage(spans: readonly { start: number; end: number; partner: number }[]): Depth[] {
  const ends: { at: number; partner: number; open: boolean }[] = [];
  for (const { start, end, partner } of spans) {
    if (end <= start) continue;
    ends.push({ at: start, partner, open: true }, { at: end, partner, open: false });
  }
  ends.sort((x, y) => x.at - y.at);
  const open = new Map<number, number>();
  const out: Depth[] = [];
  let from = 0;
  for (const { at, partner, open: opens } of ends) {
    if (at > from && open.size > 0) push(out, { start: from, end: at, depth: open.size });
    const count = (open.get(partner) ?? 0) + (opens ? 1 : -1);
    if (count > 0) open.set(partner, count);
    else open.delete(partner);
    from = at;
  }
  return out;
}

function push(out: Depth[], next: Depth): void {
  const last = out.at(-1);
  if (last && last.end === next.start && last.depth === next.depth) last.end = next.end;
  else out.push(next);
}

/** Units that are covered at all. */
export const covered = (depths: readonly Depth[]) =>
  depths.reduce((sum, { start, end }) => sum + end - start, 0);
