// Where the submissions of all clusters stand in the graph: d3-force, the same at every run.
// A worker runs it (`layout.worker.ts`), so what goes in and comes out is plain data.
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { Pair } from '../data/model.ts';
import type { Cluster } from './clusters.ts';

export interface Node {
  id: number;
  cluster: number;
  x: number;
  y: number;
}

export interface Edge {
  source: Node;
  target: Node;
  pair: number;
  score: number;
}

/** A cluster as the layout needs it: its members, and its links with their scores. */
export interface Part {
  members: number[];
  links: { a: number; b: number; pair: number; score: number }[];
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
  /** Left, top, width and height of what is drawn. */
  box: [number, number, number, number];
}

/** Beyond this many submissions only the largest clusters are drawn. */
export const MOST_NODES = 800;

/** Height of the frame, in pixels; what does not fit is drawn smaller. */
export const HEIGHT = 560;

/** Lays each cluster out by itself, then packs them in rows: clusters never overlap or drift. */
export function layOutGraph(given: readonly Part[], width: number): Graph {
  const nodes: Node[] = [];
  const edges: Edge[] = [];
  const parts = given.map((part, index) => layOutPart(part, index));
  const area = parts.reduce((sum, { box: [, , w, h] }) => sum + w * h, 0);
  // Wide enough that the whole has the shape of its frame.
  const room = Math.max(width, Math.sqrt((1.2 * area * width) / HEIGHT));
  let [left, top, rowHeight, right] = [0, 0, 0, 0];
  for (const own of parts) {
    const [x0, y0, w, h] = own.box;
    if (left > 0 && left + w > room) [left, top, rowHeight] = [0, top + rowHeight, 0];
    for (const node of own.nodes) {
      node.x += left - x0;
      node.y += top - y0;
    }
    nodes.push(...own.nodes);
    edges.push(...own.edges);
    left += w;
    right = Math.max(right, left);
    rowHeight = Math.max(rowHeight, h);
  }
  return { nodes, edges, box: [0, 0, Math.max(right, 1), Math.max(top + rowHeight, 1)] };
}

/** The largest clusters, as many as can be drawn; one at least. */
export function partsOf(clusters: readonly Cluster[], pairs: readonly Pair[]): Part[] {
  let nodes = 0;
  return clusters
    .filter(({ members }, index) => (nodes += members.length) <= MOST_NODES || index === 0)
    .map(({ members, links }) => ({
      members,
      links: links.map((pair) => {
        const { a, b, score } = pairs[pair]!;
        return { a, b, pair, score };
      }),
    }));
}

const MARGIN = 34;

function layOutPart(part: Part, index: number): Graph {
  const spread = 14 * Math.sqrt(part.members.length);
  const nodes: Node[] = part.members.map((id, i) => {
    // A sunflower: no two start in one place, and where they start means nothing.
    const angle = i * 2.399963;
    const radius = spread * Math.sqrt((i + 0.5) / part.members.length);
    return { id, cluster: index, x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edges: Edge[] = part.links.map(({ a, b, pair, score }) => ({
    source: byId.get(a)!,
    target: byId.get(b)!,
    pair,
    score,
  }));
  const links = edges.map((edge) => ({ ...edge }));
  const ticks = nodes.length > 150 ? 90 : nodes.length > 40 ? 160 : 240;
  forceSimulation(nodes)
    .force(
      'link',
      forceLink(links)
        .distance((link) => 46 + 60 * (1 - link.score))
        .strength(0.5),
    )
    .force('apart', forceManyBody().strength(-120).distanceMax(260))
    .force('touch', forceCollide(15))
    .force('x', forceX(0).strength(0.06))
    .force('y', forceY(0).strength(0.08))
    .stop()
    .tick(ticks);
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return {
    nodes,
    edges,
    box: [x0 - MARGIN, y0 - MARGIN, x1 - x0 + 2 * MARGIN, y1 - y0 + 2 * MARGIN],
  };
}
