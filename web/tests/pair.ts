// A pair of which only the score matters.
import type { Pair } from '../src/data/model.ts';

export const pair = (a: number, b: number, score: number): Pair => ({
  a,
  b,
  score,
  containment_a: score,
  containment_b: score,
  resemblance: score,
  rare: 85,
  listed_for: 'score',
  longest: 9,
  rare_run: 0,
  matched: 9,
  truncated: false,
  own_earlier: false,
  n_passages: 1,
  n_moved: 0,
});
