// What is counted of a text: words of an essay, characters of one that is compared by characters, tokens of code.
import type { FileHead, Overview, Pair, Passage, Side } from '../data/model.ts';
import { counted } from './say.ts';
import type { SourceFile } from './source.ts';
import type { CountedKey } from './wording.ts';

export type Unit = 'word' | 'character' | 'token';

const UNITS = new Map<string, Unit>([
  ['words', 'word'],
  ['chars', 'character'],
]);

/** The keys of so much of each unit: `3 words`. */
export const SIZES: Record<Unit, CountedKey> = { word: 'words', token: 'tokens', character: 'characters' };

/** `3 words`. */
export const sizeIn = (unit: Unit, n: number) => counted(SIZES[unit], n);

/** The unit of texts in these languages; tokens where they differ. */
export function unitOf(languages: Iterable<string>): Unit {
  const units = new Set([...languages].map((language) => UNITS.get(language) ?? 'token'));
  return units.size === 1 ? [...units][0]! : 'token';
}

/** The unit of what a submission has: files without a token decide nothing. */
export const unitOfFiles = (files: readonly FileHead[]): Unit =>
  unitOf(files.filter(({ tokens }) => tokens > 0).map(({ language }) => language));

export function unitOfPair({ submissions }: Pick<Overview, 'submissions'>, { a, b }: Pair): Unit {
  return unitOfFiles([a, b].flatMap((side) => submissions[side]?.files ?? []));
}

export function unitOfPassage(
  { matches }: Passage,
  files: Record<Side, readonly Pick<SourceFile, 'language'>[]>,
): Unit {
  return unitOf(
    matches.flatMap(({ a, b }) => [files.a[a.file]?.language ?? '', files.b[b.file]?.language ?? '']),
  );
}

/** The unit of all texts of two submissions. */
export function unitOfSides(files: Record<Side, readonly Pick<SourceFile, 'language' | 'tokens'>[]>): Unit {
  return unitOf(
    [...files.a, ...files.b].filter(({ tokens }) => tokens.count > 0).map(({ language }) => language),
  );
}
