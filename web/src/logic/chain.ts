// Whether a cluster is a group of its own, or a chain that joins half of a class.
import type { Pair } from '../data/model.ts';
import { clustersAt, type Cluster } from './clusters.ts';

/** Part of the possible pairs among a cluster's members that link it: 1 if each is linked to each. */
export function cohesion({ members, links, unlisted }: Cluster): number {
  const possible = (members.length * (members.length - 1)) / 2;
  return possible === 0 ? 1 : Math.min(1, (links.length + unlisted) / possible);
}

/** In a small batch, half of it is a group like any other. */
const FEWEST = 10;

/** Whether it joins at least half of the batch although most of its members are not linked to each other. */
export const isChain = (cluster: Cluster, submissions: number) =>
  cluster.members.length >= Math.max(FEWEST, submissions / 2) && cohesion(cluster) < 0.5;

/** The lowest threshold above `from`, in hundredths, at which no cluster joins half of the batch; null if none does. */
export function loosensAt(pairs: readonly Pair[], from: number, submissions: number): number | null {
  const isLoose = (step: number) => {
    const [largest] = clustersAt(pairs, step / 100, submissions);
    return !largest || largest.members.length < submissions / 2;
  };
  let [low, high] = [Math.floor(from * 100 + 1e-6) + 1, 100];
  if (low > high || !isLoose(high)) return null;
  // Clusters only fall apart as the threshold rises.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isLoose(middle)) high = middle;
    else low = middle + 1;
  }
  return high / 100;
}
