// What one submission shares with others: its pairs, loaded in batches, and which parts they cover.
import type { Loader } from '../data/load.ts';
import type { Passage, Side } from '../data/model.ts';
import { coverage, type Depth } from '../logic/coverage.ts';
import { bySource, type Span } from '../logic/sources.ts';
import { strokesOf, type FileStrokes } from '../logic/strokes.ts';
import type { App } from './app.svelte.ts';

export interface Partner {
  pair: number;
  submission: number;
  /** The side on which the looked-at submission stands. */
  side: Side;
  /** Tokens that it has and no partner before it; only where a text was searched for. */
  added?: number;
  /** Sources with nearly the same passages, by submission and pair; only where a text was searched for. */
  variants?: Partner[];
}

/** Pairs loaded at once: enough for nearly every submission, and quick for all. */
export const BATCH = 60;

/** All listed pairs of a submission, best first. The sources of a text that was searched for are in the order of what
 * each adds, with their variants. */
export function partnersOf(app: App, submission: number): Partner[] {
  const all = listedOf(app, submission);
  const { sources, submissions } = app.overview;
  if (!sources || submissions[submission]?.role === 'archive') return all;
  const byPair = new Map(all.map((partner) => [partner.pair, partner]));
  return sources.flatMap(({ pair, added, variants }) => {
    const partner = byPair.get(pair);
    const own = variants.flatMap((variant) => byPair.get(variant) ?? []);
    return partner ? [{ ...partner, added, variants: own }] : [];
  });
}

function listedOf(app: App, submission: number): Partner[] {
  return app.overview.pairs.flatMap((pair, index): Partner[] => {
    if (pair.a === submission) return [{ pair: index, submission: pair.b, side: 'a' }];
    if (pair.b === submission) return [{ pair: index, submission: pair.a, side: 'b' }];
    return [];
  });
}

export type Held = Map<number, Passage[]>;

/** Loads passages of partners that are not there yet; gives all of them. */
export async function loadPartners(loader: Loader, partners: readonly Partner[], held: Held): Promise<Held> {
  const missing = partners.filter(({ pair }) => !held.has(pair));
  const loaded = await Promise.all(missing.map(({ pair }) => loader.pair(pair)));
  const next = new Map(held);
  missing.forEach(({ pair }, i) => next.set(pair, loaded[i]!.passages));
  return next;
}

/** Per file: from which of the partners each stretch is, the first of several. */
export function sourcesOf(partners: readonly Partner[], held: Held, files: number): FileStrokes[] {
  const spans = Array.from({ length: files }, () => [] as Span[]);
  partners.forEach(({ pair, side }, source) => {
    strokesOf(held.get(pair) ?? [], side, files).forEach(({ matches }, file) =>
      matches.forEach(({ start, end }) => spans[file]!.push({ start, end, source })),
    );
  });
  return spans.map((own) => ({ matches: bySource(own), extents: [] }));
}

/** Per file: by how many partners each stretch is shared. */
export function depthsOf(partners: readonly Partner[], held: Held, files: number): Depth[][] {
  const spans = Array.from({ length: files }, () => [] as { start: number; end: number; partner: number }[]);
  for (const { pair, submission, side } of partners) {
    const strokes: FileStrokes[] = strokesOf(held.get(pair) ?? [], side, files);
    strokes.forEach(({ matches }, file) =>
      matches.forEach(({ start, end }) => spans[file]!.push({ start, end, partner: submission })),
    );
  }
  return spans.map(coverage);
}
