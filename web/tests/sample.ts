// Combinations of what a test is run with: all of them by night, and by day so many that each value is in one.

/** Set by `.ci/nightly page`. */
const ALL = process.env.ALL_COMBINATIONS === '1';

/** Pairs of a value of each list: all, or as many as the longer list has values. */
export function combinations<A, B>(some: readonly A[], others: readonly B[]): [A, B][] {
  if (ALL) return some.flatMap((one) => others.map((other): [A, B] => [one, other]));
  const count = Math.max(some.length, others.length);
  return Array.from({ length: count }, (_, i) => [some[i % some.length]!, others[i % others.length]!]);
}
