// What the graph needs beside its layout: what is near the pointer, which names have room, and which
// submission lies in the direction of an arrow key.
import type { Edge, Graph, Node } from './layout.ts';

/** The node within `reach` of a point, else null. */
export function nodeNear({ nodes }: Graph, x: number, y: number, reach: number): Node | null {
  let [best, distance]: [Node | null, number] = [null, reach];
  for (const node of nodes) {
    const apart = Math.hypot(node.x - x, node.y - y);
    if (apart <= distance) [best, distance] = [node, apart];
  }
  return best;
}

/** The line within `reach` of a point, else null. */
export function edgeNear({ edges }: Graph, x: number, y: number, reach: number): Edge | null {
  let [best, distance]: [Edge | null, number] = [null, reach];
  for (const edge of edges) {
    const { source, target } = edge;
    const [dx, dy] = [target.x - source.x, target.y - source.y];
    const along = ((x - source.x) * dx + (y - source.y) * dy) / (dx * dx + dy * dy || 1);
    const at = Math.min(1, Math.max(0, along));
    const apart = Math.hypot(source.x + at * dx - x, source.y + at * dy - y);
    if (apart <= distance) [best, distance] = [edge, apart];
  }
  return best;
}

/** The nearest node in a direction, where aside counts twice; null if there is none. */
export function nodeBeyond({ nodes }: Graph, from: Node, dx: number, dy: number): Node | null {
  let [best, least]: [Node | null, number] = [null, Infinity];
  for (const node of nodes) {
    const [x, y] = [node.x - from.x, node.y - from.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (ahead <= 0 || aside > 2 * ahead) continue;
    if (ahead + 2 * aside < least) [best, least] = [node, ahead + 2 * aside];
  }
  return best;
}

/** Most names that are drawn at once. */
const MOST_NAMES = 200;

/** Where a name stands: left, top, right, bottom. */
export type Box = [number, number, number, number];

/**
 * Places of a name around its mark, the best first: below, at the right, at the left, above. Below and above, it moves aside as
 * far as it must to be in view, from `left` to `right`.
 */
export function placesOf(
  { x, y }: Node,
  width: number,
  height: number,
  away: number,
  [left, right]: [number, number] = [-Infinity, Infinity],
): Box[] {
  const h = height / 2;
  const aside = away + 3 * (height / 13);
  const start = Math.max(left, Math.min(x - width / 2, right - width));
  return [
    [start, y + away, start + width, y + away + height],
    [x + aside, y - h, x + aside + width, y + h],
    [x - aside - width, y - h, x - aside, y + h],
    [start, y - away - height, start + width, y - away],
  ];
}

/**
 * The places of the names that have room, in the order of `wanted`: none lies on another name or on a mark, and all are in view.
 * `width` and `height` are those of a name, in the graph's units, and `away` is how far it is from its mark; `seen` is what of the
 * graph is in view.
 */
export function namesWithRoom(
  { nodes }: Graph,
  wanted: readonly Node[],
  width: (node: Node) => number,
  height: number,
  away: number,
  seen: Box,
): Map<number, Box> {
  const cell = Math.max(40, 4 * height);
  const taken = new Map<string, Box[]>();
  const cells = ([x0, y0, x1, y1]: Box) => {
    const keys: string[] = [];
    for (let x = Math.floor(x0 / cell); x <= Math.floor(x1 / cell); x++)
      for (let y = Math.floor(y0 / cell); y <= Math.floor(y1 / cell); y++) keys.push(`${x},${y}`);
    return keys;
  };
  const put = (box: Box) => {
    for (const key of cells(box)) {
      const boxes = taken.get(key);
      if (boxes) boxes.push(box);
      else taken.set(key, [box]);
    }
  };
  for (const { x, y } of nodes) put([x - 8, y - 8, x + 8, y + 8]);
  const isFree = (box: Box) =>
    cells(box).every((key) =>
      (taken.get(key) ?? []).every(
        ([x0, y0, x1, y1]) => box[2] <= x0 || box[0] >= x1 || box[3] <= y0 || box[1] >= y1,
      ),
    );
  const isInside = (box: Box) =>
    box[0] >= seen[0] && box[1] >= seen[1] && box[2] <= seen[2] && box[3] <= seen[3];
  const out = new Map<number, Box>();
  for (const node of wanted) {
    if (out.size >= MOST_NAMES) break;
    const place = placesOf(node, width(node), height, away, [seen[0], seen[2]]).find(
      (box) => isFree(box) && isInside(box),
    );
    if (!place) continue;
    put(place);
    out.set(node.id, place);
  }
  return out;
}
