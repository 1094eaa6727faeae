// A sweep over the ends of spans in one text: where which owners' spans are open.

export interface Stretch<T> {
  start: number;
  end: number;
  value: T;
}

/**
 * Stretches where at least one span is open, each with what `valueOf` makes of the owners of the open ones;
 * ascending, apart, neighbours of equal value joined. An owner may have spans that overlap.
 *
 * O(n log n) for n spans, and one call of `valueOf` for each end.
 */
export function stretches<S extends { start: number; end: number }, T>(
  spans: readonly S[],
  ownerOf: (span: S) => number,
  valueOf: (open: ReadonlyMap<number, number>) => T,
): Stretch<T>[] {
  const ends: { at: number; owner: number; step: 1 | -1 }[] = [];
  for (const span of spans) {
    if (span.end <= span.start) continue;
    const owner = ownerOf(span);
    ends.push({ at: span.start, owner, step: 1 }, { at: span.end, owner, step: -1 });
  }
  ends.sort((x, y) => x.at - y.at);
  // Spans that are open, by owner.
  const open = new Map<number, number>();
  const out: Stretch<T>[] = [];
  let from = 0;
  for (const { at, owner, step } of ends) {
    if (at > from && open.size > 0) push(out, { start: from, end: at, value: valueOf(open) });
    // At one place an end may come before its owner's next start: between the two there is no stretch.
    const count = (open.get(owner) ?? 0) + step;
    if (count === 0) open.delete(owner);
    else open.set(owner, count);
    from = at;
  }
  return out;
}

function push<T>(out: Stretch<T>[], next: Stretch<T>): void {
  const last = out.at(-1);
  if (last && last.end === next.start && last.value === next.value) last.end = next.end;
  else out.push(next);
}
