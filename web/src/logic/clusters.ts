// Clusters at the threshold that the reader has set: submissions linked by pairs at or above it.
import type { Pair } from '../data/model.ts';

export interface Cluster {
  members: number[];
  /** Indices of the pairs that link them, best first. */
  links: number[];
  weakest: number;
  mean: number;
}

/** Groups of two or more, largest first, then by the smallest member. */
export function clustersAt(pairs: readonly Pair[], threshold: number, submissions: number): Cluster[] {
  const parent = Int32Array.from({ length: submissions }, (_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]!]!;
      i = parent[i]!;
    }
    return i;
  };
  const links: number[] = [];
  pairs.forEach((pair, index) => {
    const known = pair.a < submissions && pair.b < submissions;
    if (!known || !(pair.score >= threshold)) return;
    links.push(index);
    const [x, y] = [root(pair.a), root(pair.b)];
    if (x !== y) parent[Math.max(x, y)] = Math.min(x, y);
  });
  const byRoot = new Map<number, Cluster>();
  for (const link of links) {
    const { a, score } = pairs[link]!;
    const key = root(a);
    let cluster = byRoot.get(key);
    if (!cluster) byRoot.set(key, (cluster = { members: [], links: [], weakest: 1, mean: 0 }));
    cluster.links.push(link);
    cluster.weakest = Math.min(cluster.weakest, score);
    cluster.mean += score;
  }
  for (let i = 0; i < submissions; i++) byRoot.get(root(i))?.members.push(i);
  const clusters = [...byRoot.values()];
  for (const cluster of clusters) cluster.mean /= cluster.links.length;
  return clusters.sort((x, y) => y.members.length - x.members.length || x.members[0]! - y.members[0]!);
}
