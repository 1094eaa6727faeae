// Expectations in words: how often unrelated submissions of a batch would show such a pair. The program says them alike
// (`crates/fanmill-report/src/chance.rs`).

import { count } from './format.ts';

/** Batches beyond which nothing more is said. */
const MOST = 1e6;

/** Two digits before the point, so that no precision is claimed that is not there. */
function twoDigits(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.round(value / unit) * unit;
}

/** Batches of which one has such a pair: it has one with a probability of 1 - exp(-expected). */
const batchesOf = (expected: number) => 1 / -Math.expm1(-expected);

/** An expectation as people say it: so many pairs, or one in so many batches; `n` has two digits. */
export interface Chance {
  kind: 'pairs' | 'batches' | 'fewer';
  n: number;
}

export function chanceOf(expected: number): Chance {
  if (expected >= 0.5) return { kind: 'pairs', n: Math.max(1, twoDigits(expected)) };
  const batches = batchesOf(expected);
  return batches <= MOST ? { kind: 'batches', n: twoDigits(batches) } : { kind: 'fewer', n: MOST };
}

/** `37 pairs`, `1 in 290`. */
export function chanceInShort(expected: number | undefined): string {
  if (expected === undefined) return '–';
  const { kind, n } = chanceOf(expected);
  if (kind === 'pairs') return n === 1 ? '1 pair' : `${count(n)} pairs`;
  return `${kind === 'fewer' ? '< ' : ''}1 in ${count(n)}`;
}

/** A sentence without its full stop. */
export function chanceInWords(expected: number): string {
  const { kind, n } = chanceOf(expected);
  if (kind === 'pairs') {
    const such = n === 1 ? '1 such pair' : `${count(n)} such pairs`;
    return `about ${such} would be in a batch like this by chance`;
  }
  const which = kind === 'batches' ? 'about 1 in' : 'fewer than 1 in';
  return `${which} ${count(n)} batches like this would show such a pair by chance`;
}

/** What follows a sentence: ` About 1 in 290 …`; nothing where it is not known. */
export function chanceSentence(expected: number | undefined): string {
  if (expected === undefined) return '';
  const words = chanceInWords(expected);
  return ` ${words[0]!.toUpperCase()}${words.slice(1)}.`;
}
