// The comparison for Node and for pages, as the npm package `fanmill`: files in, the files of a report out.
import { Engine, type Request } from '../browser/engine.ts';

export { Ended, Refused, type Request } from '../browser/engine.ts';

/** The files to compare, each by its path, with `/` between its parts. */
export type Files = Iterable<readonly [path: string, contents: Uint8Array | string]>;

/** Inputs and outputs of a comparison, besides its settings. */
export interface Options {
  /** Called when a step begins that has `total` parts; 0 if nobody knows. */
  onStep?: (step: string, total: number) => void;
  /** Called when so many more parts of the step are done. */
  onProgress?: (n: number) => void;
  /** The module `fanmill.wasm`, where it is not beside this file. */
  module?: BufferSource;
}

/** Two submissions that share passages; `docs/report.md` has all its fields. */
export interface Pair {
  a: string;
  b: string;
  score: number;
  [field: string]: unknown;
}

/** The report as data: the content of `report.json`. */
export interface Report {
  format: 'fanmill report';
  version: number;
  tool: string;
  pairs: Pair[];
  [field: string]: unknown;
}

/** A report: its data, and the files of its folder by their paths, `index.html` among them. */
export interface Compared {
  report: Report;
  files: Map<string, Uint8Array>;
}

/**
 * Compares files. `request` has the settings of `fanmill compare` and its inputs, as paths of files or folders:
 * `{ paths: ['submissions'], base: ['handout'], title: 'Stock' }`.
 */
export async function compare(files: Files, request: Request, options: Options = {}): Promise<Compared> {
  const engine = await begun(options);
  const encoder = new TextEncoder();
  for (const [path, contents] of files)
    engine.add(path, typeof contents === 'string' ? encoder.encode(contents) : contents);
  const made = engine.compare(request);
  const data = made.get('report.json');
  return { report: JSON.parse(new TextDecoder().decode(data)) as Report, files: made };
}

/** The names of the languages that are read. */
export async function languages(options: Options = {}): Promise<string[]> {
  return (await begun(options)).languages();
}

/** Starts a module; each comparison has one of its own, so that its memory goes with it. */
async function begun({ module, onStep, onProgress }: Options): Promise<Engine> {
  const begin = (step: string, total: number) => onStep?.(step, total);
  return Engine.of(module ?? (await beside()), { begin, advance: (n) => onProgress?.(n) });
}

/** Reads the module beside this file: from the disk in Node, by a request in a page. */
async function beside(): Promise<BufferSource> {
  const place = new URL('./fanmill.wasm', import.meta.url);
  if (place.protocol === 'file:') return (await import('node:fs/promises')).readFile(place);
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place.href} cannot be loaded: status ${answer.status}`);
  return answer.arrayBuffer();
}
