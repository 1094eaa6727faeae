// Clusters, how they hold together, their heat map and their graph.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cohesion, isChain, loosensAt } from '../../src/logic/chain.ts';
import { clustersAt } from '../../src/logic/clusters.ts';
import { namesWithRoom } from '../../src/logic/graphview.ts';
import { heatOf, MOST_ROWS } from '../../src/logic/heat.ts';
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
    const line = (size: number) => Array.from({ length: size - 1 }, (_, i) => pair(i, i + 1, 0.4 + i / 100));
    const [long] = clustersAt(line(20), 0.4, 30);
    assert.equal(cohesion(long!), 19 / 190);
    assert.equal(isChain(long!, 30), true);
    assert.equal(isChain(long!, 60), false, 'a third of the batch');
    assert.equal(isChain(clustersAt(line(5), 0.4, 8)[0]!, 8), false, 'a small batch');
    const close = Array.from({ length: 20 }, (_, a) => Array.from({ length: a }, (_, b) => pair(b, a, 0.9)));
    const [group] = clustersAt(close.flat(), 0.4, 30);
    assert.equal(cohesion(group!), 1);
    assert.equal(isChain(group!, 30), false, 'each is linked to each');
    assert.equal(cohesion({ ...long!, unlisted: 171 }), 1);
    // Of 20 in a line at .40, .41, …, the lowest pairs go first: 15 are left at .45, and 14 at .46.
    assert.equal(loosensAt(line(20), 0.4, 30), 0.46);
    assert.equal(clustersAt(line(20), 0.45, 30)[0]!.members.length, 15);
    assert.equal(clustersAt(line(20), 0.46, 30)[0]!.members.length, 14);
    const equal = close.flat().map((one) => ({ ...one, score: 1 }));
    assert.equal(loosensAt(equal, 0.4, 30), null);
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
  it('are left out where there is none', () => {
    const crowd = graphOf(
      ...Array.from({ length: 40 }, (_, i): [number, number] => [100 + (i % 8), 50 + i / 8]),
    );
    assert.ok(named(crowd).size < 6);
  });
});
