// The languages that there are words for: one file each, so that another language is one more file.
import type { Wording } from '../logic/wording.ts';

const files = import.meta.glob<Wording>('./*.json', { eager: true, import: 'default' });

/** The wording of each language, by its tag, in the order of the tags. */
export const LANGUAGES: ReadonlyMap<string, Wording> = new Map(
  Object.entries(files)
    .map(([path, wording]): [string, Wording] => [path.slice(2, -5), wording])
    .sort(([x], [y]) => (x < y ? -1 : 1)),
);
