// Expectations in words: how often unrelated submissions of a batch would show such a pair. The program says them alike
// (`crates/fanmill-report/src/chance.rs`).

import type { Overview } from '../data/model.ts';
import { count, score } from './format.ts';
import { counted, pageWords, say } from './say.ts';
import type { Words } from './wording.ts';

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
  if (kind === 'pairs') return counted('chance-n-pairs', n);
  return say(kind === 'fewer' ? 'chance-rarer' : 'chance-one-in', { n: count(n) });
}

/** `About 1 in 290 batches like this would show such a pair by chance.` */
export function chanceInWords(expected: number, words: Words = pageWords()): string {
  const { kind, n } = chanceOf(expected);
  if (kind === 'pairs') return words.counted('chance-pairs', n);
  return words.say(kind === 'batches' ? 'chance-batches' : 'chance-fewer', { n: words.count(n) });
}

/** Describes the whole batch: nothing stands out, or chance cannot be judged; empty if pairs stand out. */
export function chanceOfBatch({
  nothing_from: from,
  unjudged,
}: Pick<Overview, 'nothing_from' | 'unjudged'>): string {
  if (from !== undefined) return say('chance-nothing', { score: score(from) });
  const shown = (n: number | undefined) => count(n ?? 0);
  switch (unjudged?.reason) {
    case undefined:
      return '';
    case 'too-few-pairs':
      return say('chance-few-pairs', { n: shown(unjudged.n_pairs), least: shown(unjudged.least) });
    case 'mostly-copies':
      return say('chance-copies', {
        n: shown(unjudged.n_submissions),
        groups: shown(unjudged.n_groups),
      });
    case 'chosen-sources':
      return say('chance-chosen');
    case 'all-alike':
      return say('chance-alike', { typical: score(unjudged.typical ?? 0) });
  }
}
