// Hides names in texts, in paths and in what is saved. Everything that is shown or saved with names hidden goes
// through `masked`, so that a word is hidden everywhere or nowhere.

/** `src/ada/Main.java` as `File 2.java`. */
export function maskedPath(path: string, index: number): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? '';
  return `File ${index + 1}${ending}`;
}

/** Every word, in lower case, that gives away one of the names. */
export function givingAway(names: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const name of names) {
    for (const word of name.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)) {
      if (word.length >= 3 && !/^\d+$/.test(word) && !COMMON.has(word)) words.add(word);
    }
  }
  return words;
}

/** The same length with dots in place of these words, so that places stay. */
export function masked(text: string, words: ReadonlySet<string>): string {
  return text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) =>
    words.has(word.toLowerCase()) ? '•'.repeat(word.length) : word,
  );
}

/** Words of paths and file names that name nobody. */
const COMMON = new Set(
  'assignsubmission onlinetext late submission submissions student students src main test tests java python essay essays file files txt zip archive homework assignment group'.split(
    ' ',
  ),
);
