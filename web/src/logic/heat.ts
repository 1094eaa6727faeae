// The heat map: submissions on both sides, a cell for each listed pair, clusters next to each other.
import type { Pair } from '../data/model.ts';
import type { Cluster } from './clusters.ts';

export interface Cell {
  row: number;
  column: number;
  pair: number;
}

export interface Heat {
  /** Submissions in the order of rows and columns. */
  order: number[];
  cells: Cell[];
  /** How many of `order` each cluster has, in its order. */
  blocks: number[];
}

/** Beyond this many submissions cells would be too small to see. */
export const MOST_ROWS = 300;

/** The members of the largest clusters; within each, those that share most stand next to each other. */
export function heatOf(clusters: readonly Cluster[], pairs: readonly Pair[]): Heat {
  const order: number[] = [];
  const blocks: number[] = [];
  for (const cluster of clusters) {
    const room = MOST_ROWS - order.length;
    if (room <= 0) break;
    const members = inOrder(cluster, pairs).slice(0, room);
    order.push(...members);
    blocks.push(members.length);
  }
  const place = new Map(order.map((id, i) => [id, i]));
  const cells: Cell[] = [];
  pairs.forEach(({ a, b }, pair) => {
    const [row, column] = [place.get(a), place.get(b)];
    if (row === undefined || column === undefined) return;
    cells.push({ row, column, pair }, { row: column, column: row, pair });
  });
  return { order, cells, blocks };
}

/** The members as Prim's algorithm takes them up: always the one with the best link to those before it. */
function inOrder(cluster: Cluster, pairs: readonly Pair[]): number[] {
  const near = new Map<number, { other: number; score: number }[]>();
  for (const link of cluster.links) {
    const { a, b, score } = pairs[link]!;
    for (const [from, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const known = near.get(from);
      if (known) known.push({ other, score });
      else near.set(from, [{ other, score }]);
    }
  }
  const best = new Map<number, number>();
  const left = new Set(cluster.members);
  const out: number[] = [];
  let next: number | undefined = cluster.links.length ? pairs[cluster.links[0]!]!.a : cluster.members[0];
  while (next !== undefined) {
    out.push(next);
    left.delete(next);
    best.delete(next);
    if (out.length >= MOST_ROWS) break;
    for (const { other, score } of near.get(next) ?? [])
      if (left.has(other)) best.set(other, Math.max(best.get(other) ?? 0, score));
    let top = -1;
    next = undefined;
    for (const [id, score] of best) if (score > top) [next, top] = [id, score];
    // Members that only pairs outside the list link come last.
    if (next === undefined) next = left.values().next().value;
  }
  return out;
}
