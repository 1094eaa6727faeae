// Sentences, numbers and times in the language of the page.
import type { CountedKey, Key, Values, Words } from './wording.ts';

let source: (() => Words) | null = null;

/** Sets where the words of the page come from. The page reads them anew when its language changes. */
export function speak(words: () => Words): void {
  source = words;
}

/** The words of the page's language. */
export function pageWords(): Words {
  if (!source) throw new Error('the page has no language yet');
  return source();
}

export const say = (key: Key, values?: Values) => pageWords().say(key, values);
export const counted = (key: CountedKey, n: number, values?: Values) => pageWords().counted(key, n, values);
