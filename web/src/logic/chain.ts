// Whether a cluster is a group of its own, or a chain that joins half of a class.
import type { Cluster } from './clusters.ts';

/** Part of the possible pairs among a cluster's members that link it: 1 if each is linked to each. */
export function cohesion({
  members,
  links,
  unlisted,
}: Pick<Cluster, 'members' | 'links' | 'unlisted'>): number {
  const possible = (members.length * (members.length - 1)) / 2;
  return possible === 0 ? 1 : Math.min(1, (links.length + unlisted) / possible);
}

/** In a small batch, half of it is a group like any other. */
const FEWEST = 10;

/** Whether it joins at least half of the batch although less than half of its pairs are links. */
export const isChain = (cluster: Pick<Cluster, 'members' | 'links' | 'unlisted'>, submissions: number) =>
  cluster.members.length >= Math.max(FEWEST, submissions / 2) && cohesion(cluster) < 0.5;
