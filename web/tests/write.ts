// Writes report folders for tests, as the program does: made-up data, the committed program.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Overview, PairData, TextData } from '../src/data/model.ts';
import { isHidden } from '../src/logic/hidden.ts';

export const WEB = join(dirname(fileURLToPath(import.meta.url)), '..');
export const ROOT = join(WEB, '..');
export const APP = join(ROOT, 'crates/fanmill-report/src/app');

const made: string[] = [];
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder that goes away with the process. */
export function temporary(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `fanmill-${name}-`)));
  made.push(folder);
  return folder;
}

/** `fanmill("name", …);` with hidden characters and `<` as escapes, as `fanmill-report/src/data.rs` writes it. */
export function call(name: string, data: unknown): string {
  const json = JSON.stringify(data).replace(/[^\x20-\x7e]|</gu, (c) => {
    const code = c.codePointAt(0) ?? 0;
    if (c !== '<' && !isHidden(code)) return c;
    return [...Array(c.length).keys()]
      .map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join('');
  });
  return `fanmill("${name}", ${json});\n`;
}

export interface Report {
  overview: Overview;
  pairs: Map<number, PairData>;
  texts: Map<string, TextData>;
}

export function installApp(folder: string): void {
  mkdirSync(join(folder, 'app'), { recursive: true });
  cpSync(join(APP, 'index.html'), join(folder, 'index.html'));
  for (const name of ['app.js', 'app.css']) cpSync(join(APP, name), join(folder, 'app', name));
}

export function writeReport(folder: string, report: Report): void {
  installApp(folder);
  for (const part of ['data/pairs', 'data/texts']) mkdirSync(join(folder, part), { recursive: true });
  const put = (name: string, data: unknown) =>
    writeFileSync(join(folder, 'data', `${name}.js`), call(name, data));
  put('overview', report.overview);
  for (const [i, pair] of report.pairs) put(`pairs/${String(i + 1).padStart(4, '0')}`, pair);
  for (const [key, text] of report.texts) put(`texts/${key}`, text);
}
