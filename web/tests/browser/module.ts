// The WebAssembly module that tests call, and the reports that the command makes of the same files.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, type Request, type Watch } from '../../src/browser/engine.ts';
import { fanmill } from '../example.ts';
import { ROOT, temporary } from '../write.ts';

/** Where `packaging/browser` puts what it builds. */
export const BUILT = process.env.FANMILL_BROWSER ?? join(ROOT, 'target/page');

/** Why tests of what is built there are left out; false if it is there, or has to be. */
export const missing = (name: string): string | false =>
  existsSync(join(BUILT, name)) || process.env.CI
    ? false
    : `there is no ${join(BUILT, name)}; packaging/browser builds it`;

export type Files = Map<string, Uint8Array>;

/** All files below a folder, by their paths in it. */
export function filesBelow(folder: string, below = ''): Files {
  const files: Files = new Map();
  for (const name of readdirSync(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    if (statSync(join(folder, path)).isDirectory())
      for (const [inner, bytes] of filesBelow(folder, path)) files.set(inner, bytes);
    else files.set(path, readFileSync(join(folder, path)));
  }
  return files;
}

/** The report that the command makes in a folder. */
export function byCommand(folder: string, args: string[]): Files {
  const report = join(temporary('report'), 'report');
  execFileSync(fanmill(), ['compare', ...args, '-o', report], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  });
  return filesBelow(report);
}

export const SILENT: Watch = { begin: () => undefined, advance: () => undefined };

export const engine = (watch: Watch = SILENT) => Engine.of(readFileSync(join(BUILT, 'fanmill.wasm')), watch);

/** The report that the module makes of some files. */
export async function byModule(files: Files, inputs: object, settings: object = {}): Promise<Files> {
  const module = await engine();
  for (const [path, bytes] of files) module.add(path, bytes);
  return module.compare({ ...settings, ...inputs } as Request);
}
