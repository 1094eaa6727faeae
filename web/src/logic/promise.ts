// The guarantee of one kind of text in words, from its numbers.
import type { Promised } from '../data/model.ts';
import { pageWords } from './say.ts';
import type { Key, Words } from './wording.ts';

/** The keys of a sentence: where all pairs were scored, where not, and where the selector promises nothing. */
const SENTENCES: Record<Promised['kind'], Record<'all' | 'held' | 'none', Key>> = {
  code: { all: 'promise-code', held: 'promise-code-held', none: 'promise-code-none' },
  words: { all: 'promise-words', held: 'promise-words-held', none: 'promise-words-none' },
  chars: { all: 'promise-chars', held: 'promise-chars-held', none: 'promise-chars-none' },
};

/** A sentence without its end. Another promise of the same kind, for short programs, limits this one. */
export function promiseText(
  { kind, guarantee, noise, max_holders: holders, shorter_than: short }: Promised,
  all: readonly Promised[],
  words: Words = pageWords(),
): string {
  const which = guarantee === null ? 'none' : holders === undefined ? 'all' : 'held';
  const shown = (n: number | null | undefined) => words.count(n ?? 0);
  const values = { guarantee: shown(guarantee), noise: shown(noise), holders: shown(holders) };
  const promise = words.say((SENTENCES[kind] ?? SENTENCES.code)[which], values);
  if (short !== undefined) return words.say('promise-short', { most: shown(short), promise });
  const most = all.find((other) => other.kind === kind && other.shorter_than !== undefined)?.shorter_than;
  return most === undefined ? promise : words.say('promise-long', { most: shown(most), promise });
}
