// The clusters that the program would have found in a report that a test has made up.
import type { Overview } from '../src/data/model.ts';
import { clustersAt } from '../src/logic/clusters.ts';

export function linked(overview: Overview): Overview {
  const { pairs, submissions, settings } = overview;
  const clusters = clustersAt(pairs, settings.cluster_threshold, submissions.length).map(
    ({ members, links, weakest, mean, chain }) => ({ members, links: links.length, weakest, mean, chain }),
  );
  return { ...overview, clusters };
}
