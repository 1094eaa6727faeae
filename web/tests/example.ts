// The report over `examples/assignment`, made by the built program.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Overview, Pair, PairData } from '../src/data/model.ts';
import { installApp, ROOT, temporary } from './write.ts';

const ENDING = process.platform === 'win32' ? '.exe' : '';

/** The program: `FANMILL`, or what cargo has built last. */
export function fanmill(): string {
  const built = ['release', 'debug'].map((profile) => join(ROOT, 'target', profile, `fanmill${ENDING}`));
  const found = [process.env.FANMILL ?? '', ...built].find((path) => path !== '' && existsSync(path));
  if (!found)
    throw new Error('no fanmill program: run `cargo build --release -p fanmill-cli`, or name one in FANMILL');
  return found;
}

export function run(args: string[]): string {
  const folder = join(temporary('report'), 'report');
  execFileSync(fanmill(), ['compare', ...args, '-o', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: ROOT,
  });
  return folder;
}

const FROM = 'examples/assignment';

/** Exactly as the program has written it. */
export function writtenReport(): string {
  return run([`${FROM}/manifest.csv`, '--base', `${FROM}/handout`, '--archive', `${FROM}/last-year`]);
}

/** With the page's program as it was built last, which spares a build of the whole. */
export function exampleReport(): string {
  const folder = writtenReport();
  installApp(folder);
  return folder;
}

/** `report.json`, as far as tests read it: there, pairs have their passages. */
export type Found = Omit<Overview, 'pairs'> & { pairs: (Pair & PairData)[] };

/** What the program has found, so that no test needs a change when scores do. */
export const foundIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Found;

/** A data file of the page: what its call is given. */
export function dataIn<T>(folder: string, name: string): T {
  const call = readFileSync(join(folder, 'data', `${name}.js`), 'utf8');
  return JSON.parse(call.slice(`fanmill("${name}", `.length, call.lastIndexOf(')'))) as T;
}
