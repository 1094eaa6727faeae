// Clusters at the threshold that the reader has set: submissions linked by pairs at or above it. A chain that joins
// half of the batch is split by average linkage.
//
// The page knows listed pairs only; the program has also seen those that were not listed. So at its
// own threshold, clusters are the program's, and below it, what it has linked stays linked.
import type { Cluster as Known, Pair } from '../data/model.ts';
import { isChain } from './chain.ts';
import { averageLinkage } from './linkage.ts';

export interface Cluster {
  members: number[];
  /** Indices of the listed pairs that link them, best first. */
  links: number[];
  weakest: number;
  mean: number;
  /** Pairs that link them but are not listed; known at the program's own threshold only. */
  unlisted: number;
  /** How many submissions the chain joins that it is a part of; 0 if it is none. */
  chain: number;
}

/** What the program has found: groups at one threshold, with the number of pairs in each. */
export interface Given {
  threshold: number;
  clusters: readonly Known[];
}

/** Groups of two or more, largest first, then by the smallest member. */
export function clustersAt(
  pairs: readonly Pair[],
  threshold: number,
  submissions: number,
  given: Given = { threshold: -1, clusters: [] },
): Cluster[] {
  const known = pairs
    .map((_, index) => index)
    .filter((index) => {
      const { a, b, own_earlier: isOwn } = pairs[index]!;
      return !isOwn && a !== b && [a, b].every((one) => one >= 0 && one < submissions);
    });
  if (threshold === given.threshold) return describedAs(given, pairs, known, submissions);
  const groups = new Groups(submissions);
  for (const index of known) {
    const { a, b, score } = pairs[index]!;
    if (score >= threshold) groups.join(a, b);
  }
  for (const { members } of threshold < given.threshold ? inside(given, submissions) : [])
    for (const member of members) groups.join(member, members[0]!);
  const parts = groups.all().map((members) => ({ members, chain: 0 }));
  const whole = described(parts, pairs, known, threshold, submissions);
  return ordered(
    whole.flatMap((cluster) => {
      if (!isChain(cluster, submissions)) return [cluster];
      const of = new Set(cluster.members);
      const inner = known.filter((index) => of.has(pairs[index]!.a) && of.has(pairs[index]!.b));
      const scores = inner.map((index) => pairs[index]!);
      const parts = averageLinkage(cluster.members, scores, threshold)
        .filter((members) => members.length > 1)
        .map((members) => ({ members, chain: cluster.members.length }));
      return described(parts, pairs, inner, threshold, submissions);
    }),
  );
}

/** The program's own clusters; a report that was tampered with may name submissions that do not exist. */
const inside = (given: Given, submissions: number) =>
  given.clusters
    .map((known) => ({ ...known, members: known.members.filter((one) => one >= 0 && one < submissions) }))
    .filter(({ members }) => members.length > 1);

function describedAs(
  given: Given,
  pairs: readonly Pair[],
  known: readonly number[],
  submissions: number,
): Cluster[] {
  const all = inside(given, submissions);
  const parts = all.map(({ members, chain = 0 }) => ({ members, chain }));
  return described(parts, pairs, known, given.threshold, submissions).map((cluster, index) => {
    const { links, weakest, mean } = all[index]!;
    return { ...cluster, weakest, mean, unlisted: Math.max(0, links - cluster.links.length) };
  });
}

/** Groups that have no member in common, with the pairs that link each. */
function described(
  parts: readonly { members: number[]; chain: number }[],
  pairs: readonly Pair[],
  known: readonly number[],
  threshold: number,
  submissions: number,
): Cluster[] {
  const of = new Int32Array(submissions).fill(-1);
  parts.forEach(({ members }, part) => members.forEach((member) => (of[member] = part)));
  const clusters = parts.map((part): Cluster => ({ ...part, links: [], weakest: 1, mean: 0, unlisted: 0 }));
  for (const index of known) {
    const { a, b, score } = pairs[index]!;
    const cluster = of[a] === of[b] ? clusters[of[a]!] : undefined;
    if (!cluster || !(score >= threshold)) continue;
    cluster.links.push(index);
    cluster.weakest = Math.min(cluster.weakest, score);
    cluster.mean += (score - cluster.mean) / cluster.links.length;
  }
  return clusters;
}

const ordered = (clusters: Cluster[]) =>
  clusters.sort((x, y) => y.members.length - x.members.length || x.members[0]! - y.members[0]!);

/** Union-find with path halving. */
class Groups {
  private readonly parent: Int32Array;

  constructor(private readonly size: number) {
    this.parent = Int32Array.from({ length: size }, (_, i) => i);
  }

  has(i: number): boolean {
    return i >= 0 && i < this.size;
  }

  root(i: number): number {
    if (!this.has(i)) return -1;
    while (this.parent[i] !== i) {
      this.parent[i] = this.parent[this.parent[i]!]!;
      i = this.parent[i]!;
    }
    return i;
  }

  /** Those of two or more. */
  all(): number[][] {
    const byRoot = new Map<number, number[]>();
    for (let i = 0; i < this.size; i++) {
      const root = this.root(i);
      const members = byRoot.get(root);
      if (members) members.push(i);
      else byRoot.set(root, [i]);
    }
    return [...byRoot.values()].filter((members) => members.length > 1);
  }

  join(x: number, y: number): void {
    const [a, b] = [this.root(x), this.root(y)];
    if (a !== b) this.parent[Math.max(a, b)] = Math.min(a, b);
  }
}
