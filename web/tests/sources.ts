// The sources of the pages as syntax trees, for tests that look for text and for keys of the wording in them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse } from 'svelte/compiler';
import { WEB } from './write.ts';

const SRC = join(WEB, 'src');

export interface TreeNode {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** The path of every component and module below `src`. */
export const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(svelte|ts)$/.test(path) && !path.endsWith('.d.ts'))
  .sort();

const isNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && typeof (value as TreeNode).type === 'string';

const known = new Map<string, [TreeNode, TreeNode[]][]>();

/** The nodes of a source with the nodes that they are in, outermost first. */
export function nodesOf(path: string): [node: TreeNode, within: TreeNode[]][] {
  let nodes = known.get(path);
  if (!nodes) known.set(path, (nodes = [...walked(path)]));
  return nodes;
}

function* walked(path: string): Generator<[TreeNode, TreeNode[]]> {
  const text = readFileSync(join(SRC, path), 'utf8');
  const whole = path.endsWith('.svelte') ? text : `<script lang="ts">\n${text}</script>`;
  const open: [TreeNode, TreeNode[]][] = [[parse(whole, { modern: true }) as unknown as TreeNode, []]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, within] = next;
    yield [node, within];
    for (const [field, value] of Object.entries(node)) {
      // The style sheet, and what the parser adds to nodes.
      if (['css', 'metadata', 'loc', 'leadingComments', 'trailingComments', 'comments'].includes(field))
        continue;
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) open.push([child, [...within, node]]);
    }
  }
}

/** Lists what a source imports for more than its types, by its path below `src`. */
export function importsOf(path: string): string[] {
  const out: string[] = [];
  for (const [node] of nodesOf(path)) {
    const from = node.source as { value?: unknown } | null | undefined;
    if (!/^(Import|Export\w*)Declaration$/.test(node.type) || typeof from?.value !== 'string') continue;
    if (node.importKind === 'type' || !from.value.startsWith('.')) continue;
    out.push(
      relative(SRC, resolve(SRC, dirname(path), from.value.replace(/\?.*$/, ''))).replaceAll('\\', '/'),
    );
  }
  return out;
}

/** A module, and all that it needs. */
export function reachedFrom(path: string): Set<string> {
  const seen = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next) || !SOURCES.includes(next)) continue;
    seen.add(next);
    open.push(...importsOf(next));
  }
  return seen;
}
