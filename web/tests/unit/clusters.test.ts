// Clusters, how they hold together, their heat map and their graph.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { cohesion, isChain } from '../../src/logic/chain.ts';
import { clustersAt } from '../../src/logic/clusters.ts';
import { namesWithRoom } from '../../src/logic/graphview.ts';
import { heatOf, MOST_ROWS } from '../../src/logic/heat.ts';
import { averageLinkage } from '../../src/logic/linkage.ts';
import { layOutGraph, partsOf, type Graph } from '../../src/logic/layout.ts';
import { pair } from '../pair.ts';

describe('clusters', () => {
  const pairs = [pair(0, 1, 0.9), pair(1, 2, 0.5), pair(4, 5, 0.5), pair(5, 99, 1)];
  it('link what reaches the threshold, largest first', () => {
    assert.deepEqual(
      clustersAt(pairs, 0.5, 7).map(({ members }) => members),
      [
        [0, 1, 2],
        [4, 5],
      ],
    );
    assert.deepEqual(
      clustersAt(pairs, 0.6, 7).map(({ members }) => members),
      [[0, 1]],
    );
    const [first] = clustersAt(pairs, 0.5, 7);
    assert.equal(first!.weakest, 0.5);
    assert.equal(first!.mean, 0.7);
  });
  it('are chains if they join half of the batch with few of their pairs', () => {
    const members = Array.from({ length: 20 }, (_, i) => i);
    const line = { members, links: members.slice(1), unlisted: 0 };
    assert.equal(cohesion(line), 19 / 190);
    assert.equal(isChain(line, 30), true);
    assert.equal(isChain(line, 60), false, 'a third of the batch');
    assert.equal(isChain({ ...line, members: members.slice(0, 9) }, 9), false, 'a small batch');
    assert.equal(cohesion({ ...line, unlisted: 171 }), 1);
    assert.equal(isChain({ ...line, unlisted: 171 }, 30), false, 'each is linked to each');
  });
  it('are the groups of average linkage where a chain joins half of the batch', () => {
    // Three groups of four, each linked to each, and a single link from one to the next.
    const groups = [0, 4, 8].flatMap((first) =>
      [0, 1, 2, 3].flatMap((a) => Array.from({ length: a }, (_, b) => pair(first + b, first + a, 0.8))),
    );
    const all = [...groups, pair(3, 4, 0.6), pair(7, 8, 0.7)];
    const found = (threshold: number, size: number) =>
      clustersAt(all, threshold, size).map(({ members, links, chain }) => [
        members.length,
        links.length,
        chain,
      ]);
    const split = [
      [4, 6, 12],
      [4, 6, 12],
      [4, 6, 12],
    ];
    assert.deepEqual(found(0.5, 24), split);
    assert.deepEqual(found(0.5, 25), [[12, 20, 0]], 'less than half of the batch');
    assert.deepEqual(
      found(0.75, 24),
      split.map(([n, links]) => [n, links, 0]),
    );
  });
  it('of average linkage are those of joining the highest mean first', () => {
    let seed = 7;
    const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let run = 0; run < 300; run++) {
      const members = Array.from({ length: 2 + Math.floor(next() * 12) }, (_, i) => 3 * i);
      const scores = members.flatMap((a, i) =>
        members.slice(0, i).flatMap((b) => (next() < 0.5 ? [{ a, b, score: next() }] : [])),
      );
      const threshold = 0.05 + 0.7 * next();
      assert.deepEqual(
        averageLinkage(members, scores, threshold),
        highestMeanFirst(members, scores, threshold),
      );
    }
    const tie = [0, 1, 2, 3, 4, 5].map((a) => ({ a, b: (a + 1) % 6, score: 0.5 }));
    assert.deepEqual(averageLinkage([0, 1, 2, 3, 4, 5], tie, 0.5), [
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    assert.equal(averageLinkage([0, 1, 2], [{ a: 0, b: 1, score: NaN }], 0).length, 3);
  });
  it('keep together what the program has linked by pairs that are not listed', () => {
    const given = {
      threshold: 0.4,
      clusters: [{ members: [0, 1, 2, 3], links: 9, weakest: 0.41, mean: 0.6 }],
    };
    assert.deepEqual(clustersAt(pairs, 0.4, 7, given)[0], {
      members: [0, 1, 2, 3],
      links: [0, 1],
      weakest: 0.41,
      mean: 0.6,
      unlisted: 7,
      chain: 0,
    });
    assert.deepEqual(clustersAt(pairs, 0.3, 7, given)[0]!.members, [0, 1, 2, 3]);
    assert.deepEqual(clustersAt(pairs, 0.5, 7, given)[0]!.members, [0, 1, 2]);
  });
  it('stand in blocks in the heat map, each pair twice, and no more than can be seen', () => {
    const { order, cells, blocks } = heatOf(clustersAt(pairs, 0.5, 7), pairs);
    const clusters = clustersAt(pairs, 0.5, 7);
    assert.deepEqual(
      blocks,
      clusters.map(({ members }) => members.length),
    );
    assert.deepEqual([...order].sort(), clusters.flatMap(({ members }) => members).sort());
    for (const { row, column, pair: index } of cells)
      assert.deepEqual([order[row]!, order[column]!].sort(), [pairs[index]!.a, pairs[index]!.b].sort());
    assert.ok(cells.length > 0 && cells.length % 2 === 0);
    const chain = Array.from({ length: 900 }, (_, i) => pair(i, i + 1, 0.9));
    const long = heatOf(clustersAt(chain, 0.5, 901), chain);
    assert.equal(long.order.length, MOST_ROWS);
    // Neighbours in a chain stay neighbours.
    assert.deepEqual(long.order.slice(0, 4), [0, 1, 2, 3]);
  });
  it('are laid out the same at every run, without overlap', () => {
    const parts = partsOf(clustersAt(pairs, 0.5, 7), pairs);
    const [one, two] = [layOutGraph(parts, 800), layOutGraph(parts, 800)];
    assert.deepEqual(
      one.nodes.map(({ x, y }) => [x, y]),
      two.nodes.map(({ x, y }) => [x, y]),
    );
    assert.equal(one.edges.length, 3);
    for (const x of one.nodes)
      for (const y of one.nodes) {
        if (x !== y) assert.ok(Math.hypot(x.x - y.x, x.y - y.y) > 16);
      }
  });
});

describe('names in the graph', () => {
  const graphOf = (...places: [number, number][]): Graph => ({
    nodes: places.map(([x, y], id) => ({ id, cluster: 0, x, y })),
    edges: [],
    box: [0, 0, 300, 100],
  });
  const named = (graph: Graph) => namesWithRoom(graph, graph.nodes, () => 60, 12, 9, [0, 0, 300, 100]);
  it('stand below, or where else there is room', () => {
    const graph = graphOf([100, 50], [140, 50], [100, 80]);
    const names = named(graph);
    assert.deepEqual(names.get(0), [70, 59, 130, 71], 'below');
    assert.equal(names.size, 3);
    for (const box of names.values())
      for (const other of names.values())
        assert.ok(
          box === other ||
            box[2] <= other[0] ||
            box[0] >= other[2] ||
            box[3] <= other[1] ||
            box[1] >= other[3],
        );
  });
  it('move aside at the edges, and none is cut off', () => {
    const names = named(graphOf([5, 50], [295, 20], [150, 98]));
    assert.deepEqual(names.get(0), [0, 59, 60, 71]);
    assert.deepEqual(names.get(1), [240, 29, 300, 41]);
    assert.ok(names.get(2)![3] <= 100, 'not below the last mark');
  });
  it('are left out where there is none', () => {
    const crowd = graphOf(
      ...Array.from({ length: 40 }, (_, i): [number, number] => [100 + (i % 8), 50 + i / 8]),
    );
    assert.ok(named(crowd).size < 6);
  });
});

/** The naive twin of average linkage. */
function highestMeanFirst(
  members: number[],
  scores: { a: number; b: number; score: number }[],
  threshold: number,
) {
  const groups = members.map((member) => [member]);
  const mean = (x: number[], y: number[]) =>
    scores
      .filter(({ a, b }) => (x.includes(a) && y.includes(b)) || (x.includes(b) && y.includes(a)))
      .reduce((sum, { score }) => sum + score, 0) /
    (x.length * y.length);
  for (;;) {
    let best: { at: number; i: number; j: number } | null = null;
    for (let j = 0; j < groups.length; j++)
      for (let i = 0; i < j; i++) {
        const at = mean(groups[i]!, groups[j]!);
        if (at >= (best?.at ?? threshold)) best = { at, i, j };
      }
    if (!best) return groups.sort((x, y) => x[0]! - y[0]!);
    groups[best.i] = [...groups[best.i]!, ...groups.splice(best.j, 1)[0]!].sort((x, y) => x - y);
  }
}
