// The wording files as the pages have them, for tests outside of a browser.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Words, type Wording } from '../src/logic/wording.ts';
import { WEB } from './write.ts';

const FOLDER = join(WEB, 'src/words');

export type Entry = string | Record<string, string>;

/** The languages that there is a folder for. */
export const LANGUAGES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** The files of a language by the area that they are for, as `report`. */
export const filesOf = (language: string): Map<string, Record<string, Entry>> =>
  new Map(
    readdirSync(join(FOLDER, language))
      .sort()
      .map((name) => [
        name.replace(/\.json$/, ''),
        JSON.parse(readFileSync(join(FOLDER, language, name), 'utf8')) as Record<string, Entry>,
      ]),
  );

/** All words of a language. */
export const wordsOf = (language: string): Words =>
  new Words(language, Object.assign({}, ...filesOf(language).values()) as Wording);
