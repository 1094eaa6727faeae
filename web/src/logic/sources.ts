// Where each part of one text was also found: the first of several sources that share it.
import type { Stroke } from './strokes.ts';

export interface Span {
  start: number;
  end: number;
  /** The number of the source, the most important one first. */
  source: number;
}

/** Stretches with the first source of each; ascending, apart, equal neighbours joined. */
export function bySource(spans: readonly Span[]): Stroke[] {
  const ends: { at: number; source: number; open: boolean }[] = [];
  for (const { start, end, source } of spans) {
    if (end <= start) continue;
    ends.push({ at: start, source, open: true }, { at: end, source, open: false });
  }
  ends.sort((x, y) => x.at - y.at);
  const open = new Map<number, number>();
  const out: Stroke[] = [];
  let from = 0;
  for (const { at, source, open: opens } of ends) {
    if (at > from && open.size > 0) push(out, { start: from, end: at, passage: Math.min(...open.keys()) });
    const count = (open.get(source) ?? 0) + (opens ? 1 : -1);
    if (count > 0) open.set(source, count);
    else open.delete(source);
    from = at;
  }
  return out;
}

function push(out: Stroke[], next: Stroke): void {
  const last = out.at(-1);
  if (last && last.end === next.start && last.passage === next.passage) last.end = next.end;
  else out.push(next);
}
