// The report over `examples/assignment`, made by the built program.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
