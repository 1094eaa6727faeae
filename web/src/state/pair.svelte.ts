// One pair being looked at: its passages and texts, loaded, and which passage is chosen.
import type { Pair, Passage, SharedMetadata, Side } from '../data/model.ts';
import { sourceFile, type SourceFile } from '../logic/source.ts';
import { strokesOf, type FileStrokes } from '../logic/strokes.ts';
import type { App } from './app.svelte.ts';
import { router } from './route.svelte.ts';

export interface Loaded {
  passages: Passage[];
  metadata: SharedMetadata[];
  files: Record<Side, SourceFile[]>;
  strokes: Record<Side, FileStrokes[]>;
}

/** Loads the passages of a listed pair and all texts of both sides. */
export async function loadSides(app: App, index: number): Promise<Loaded> {
  const pair = app.overview.pairs[index]!;
  const [{ passages, metadata }, a, b] = await Promise.all([
    app.loader.pair(index),
    loadFiles(app, pair.a),
    loadFiles(app, pair.b),
  ]);
  const strokes = {
    a: strokesOf(passages, 'a', a.length),
    b: strokesOf(passages, 'b', b.length),
  };
  return { passages, metadata, files: { a, b }, strokes };
}

export function loadFiles(app: App, submission: number): Promise<SourceFile[]> {
  const heads = app.overview.submissions[submission]?.files ?? [];
  return Promise.all(
    heads.map(async ({ path, language }, file) =>
      sourceFile(path, language, await app.loader.text(submission, file)),
    ),
  );
}

/** The chosen passage, from the address: `?p=3` is the third. */
export class Choice {
  constructor(private readonly count: () => number) {}

  passage: number | null = $derived.by(() => {
    const number = Number(router.current.params.get('p'));
    return Number.isInteger(number) && number >= 1 && number <= this.count() ? number - 1 : null;
  });

  choose(passage: number | null): void {
    router.set({ p: passage === null ? null : String(passage + 1) });
  }
}

export const sideOf = (pair: Pair, side: Side) => (side === 'a' ? pair.a : pair.b);
