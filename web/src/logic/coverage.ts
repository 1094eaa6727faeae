// How much of one text is shared with how many others.

import type { SourceFile } from './source.ts';
import { stretches } from './stretches.ts';

export interface Depth {
  start: number;
  end: number;
  /** Partners that share this stretch; at least 1. */
  depth: number;
}

/** Stretches by the number of different partners; ascending, apart, equal neighbours joined. */
export function coverage(spans: readonly { start: number; end: number; partner: number }[]): Depth[] {
  return stretches(
    spans,
    ({ partner }) => partner,
    (open) => open.size,
  ).map(({ start, end, value }) => ({ start, end, depth: value }));
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
