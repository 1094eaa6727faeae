// Hides names in texts, in paths and in what is saved. Everything that is shown or saved with names hidden goes
// through `masked`, so that a word is hidden everywhere or nowhere.
import { pageWords } from './say.ts';
import type { Words } from './wording.ts';

/** `src/ada/Main.java` as `File 2.java`. */
export function maskedPath(path: string, index: number, words: Words = pageWords()): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? '';
  return words.say('file-number', { n: String(index + 1), ending });
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

/**
 * Hides what names some people, but for words that name others too: a function of a text that gives one of the same length.
 * Words of one or two letters are hidden only where a whole name of several words stands there, in either order.
 */
export function hiding(names: readonly string[], kept: readonly string[] = []): (text: string) => string {
  const shown = givingAway(kept);
  const words = new Set([...givingAway(names)].filter((word) => !shown.has(word)));
  const byFirst = new Map<string, string[][]>();
  for (const name of names) {
    const parts = wordsIn(name);
    if (parts.length < 2 || parts.length > 4) continue;
    for (const order of [parts, [parts.at(-1)!, ...parts.slice(0, -1)]]) {
      // As accounts and file names have it.
      if (order.join('').length >= 4) words.add(order.join(''));
      const known = byFirst.get(order[0]!) ?? [];
      byFirst.set(order[0]!, [...known, order]);
    }
  }
  return (text) => {
    const places = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
    let out = '';
    let done = 0;
    for (let i = 0; i < places.length;) {
      const word = places[i]![0].toLowerCase();
      const name = (byFirst.get(word) ?? []).find((order) =>
        order.every((part, n) => places[i + n]?.[0].toLowerCase() === part && isNear(text, places, i, n)),
      );
      const last = name ? i + name.length : words.has(word) ? i + 1 : i;
      for (const place of places.slice(i, last)) {
        out += text.slice(done, place.index) + '•'.repeat(place[0].length);
        done = place.index + place[0].length;
      }
      i = Math.max(i + 1, last);
    }
    return out + text.slice(done);
  };
}

const wordsIn = (name: string) =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);

/** Tells whether word `i + n` stands next to the one before it, as words of one name do. */
function isNear(text: string, places: readonly RegExpExecArray[], i: number, n: number): boolean {
  if (n === 0) return true;
  const before = places[i + n - 1]!;
  return /^[\s,._-]{1,3}$/.test(text.slice(before.index + before[0].length, places[i + n]!.index));
}

/** Words of paths and file names that name nobody. */
const COMMON = new Set(
  'assignsubmission onlinetext late submission submissions student students src main test tests java python essay essays file files txt zip archive homework assignment group'.split(
    ' ',
  ),
);
