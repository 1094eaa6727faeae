// How much of one text is shared with how many others: a sweep over the ends of all matches.

import type { SourceFile } from './source.ts';

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

/** Tokens of some files that count, boilerplate left out, and how many of them are shared with anyone. */
export function sharedTokens(
  files: readonly SourceFile[],
  depths: readonly (readonly Depth[])[],
): { counted: number; shared: number } {
  let [counted, shared] = [0, 0];
  files.forEach(({ tokens, grey }, file) => {
    const [isGrey, isShared] = [sweep(grey), sweep(depths[file] ?? [])];
    for (let i = 0; i < tokens.count; i++) {
      const at = tokens.starts[i]!;
      const [out, within] = [isGrey(at), isShared(at)];
      if (out) continue;
      counted++;
      if (within) shared++;
    }
  });
  return { counted, shared };
}

/** Whether a place lies in one of some spans that ascend and do not overlap; asked for ascending places. */
function sweep(spans: readonly { start: number; end: number }[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while (next < spans.length && spans[next]!.end <= at) next++;
    return next < spans.length && spans[next]!.start <= at;
  };
}
