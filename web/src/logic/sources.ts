// Where each part of one text was also found: the first of several sources that share it.
import { stretches } from './stretches.ts';
import type { Stroke } from './strokes.ts';

export interface Span {
  start: number;
  end: number;
  /** The number of the source, the most important one first. */
  source: number;
}

/** Stretches with the first source of each; ascending, apart, equal neighbours joined. */
export function bySource(spans: readonly Span[]): Stroke[] {
  return stretches(
    spans,
    ({ source }) => source,
    (open) => Math.min(...open.keys()),
  ).map(({ start, end, value }) => ({ start, end, passage: value }));
}
