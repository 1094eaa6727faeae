// Clusters at the threshold that the reader has set: submissions linked by pairs at or above it.
//
// The page knows listed pairs only; the program has also seen those that were not listed. So at its
// own threshold, or below, what it has linked stays linked.
import type { Pair } from '../data/model.ts';

export interface Cluster {
  members: number[];
  /** Indices of the listed pairs that link them, best first. */
  links: number[];
  weakest: number;
  mean: number;
  /** Pairs that link them but are not listed; known at the program's own threshold only. */
  unlisted: number;
}

/** What the program has found: groups at one threshold, with the number of pairs in each. */
export interface Given {
  threshold: number;
  clusters: readonly { members: number[]; links: number; weakest: number; mean: number }[];
}

/** Groups of two or more, largest first, then by the smallest member. */
export function clustersAt(
  pairs: readonly Pair[],
  threshold: number,
  submissions: number,
  given: Given = { threshold: -1, clusters: [] },
): Cluster[] {
  const groups = new Groups(submissions);
  const links: number[] = [];
  pairs.forEach((pair, index) => {
    if (!groups.has(pair.a) || !groups.has(pair.b) || !(pair.score >= threshold)) return;
    links.push(index);
    groups.join(pair.a, pair.b);
  });
  const standing = threshold <= given.threshold ? given.clusters : [];
  for (const { members } of standing) {
    for (const member of members) {
      if (groups.has(member) && groups.has(members[0]!)) groups.join(member, members[0]!);
    }
  }
  const byRoot = new Map<number, Cluster>();
  for (let i = 0; i < submissions; i++) {
    const root = groups.root(i);
    const cluster = byRoot.get(root);
    if (cluster) cluster.members.push(i);
    else byRoot.set(root, { members: [i], links: [], weakest: 1, mean: 0, unlisted: 0 });
  }
  for (const link of links) addLink(byRoot.get(groups.root(pairs[link]!.a))!, link, pairs[link]!.score);
  if (threshold === given.threshold) {
    for (const known of given.clusters) {
      const cluster = byRoot.get(groups.root(known.members[0] ?? -1));
      if (!cluster) continue;
      cluster.unlisted = Math.max(0, known.links - cluster.links.length);
      [cluster.weakest, cluster.mean] = [known.weakest, known.mean];
    }
  }
  return [...byRoot.values()]
    .filter(({ members }) => members.length > 1)
    .sort((x, y) => y.members.length - x.members.length || x.members[0]! - y.members[0]!);
}

function addLink(cluster: Cluster, link: number, score: number): void {
  cluster.links.push(link);
  cluster.weakest = Math.min(cluster.weakest, score);
  cluster.mean += (score - cluster.mean) / cluster.links.length;
}

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

  join(x: number, y: number): void {
    const [a, b] = [this.root(x), this.root(y)];
    if (a !== b) this.parent[Math.max(a, b)] = Math.min(a, b);
  }
}
