// The tokens that a text was compared by, as the program has written them: what is coloured and counted
// is what was compared. `crates/fanmill-report/src/runs.rs` says how they are written.
import { CLASSES, DIGITS } from '../data/model.ts';

export type TokenClass = (typeof CLASSES)[number];

/** One array per column. Places are in UTF-16 units of the text; starts ascend, and so do ends. */
export interface Tokens {
  readonly count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** As indices of CLASSES. */
  readonly classes: Uint8Array;
}

/** Digits that end a number; the others go before them. */
const ENDING = 64;
const LEADING = DIGITS.length - ENDING;
const VALUES = new Int8Array(128).fill(-1);
[...DIGITS].forEach((digit, value) => (VALUES[digit.charCodeAt(0)] = value));
/** The class of the words of prose. */
export const WORD = CLASSES.indexOf('word');

/** Reads what the program has written; what is damaged ends it. */
export function readTokens(written: string, text: string): Tokens {
  // A token takes one character at least.
  const starts = new Int32Array(written.length);
  const ends = new Int32Array(written.length);
  const classes = new Uint8Array(written.length);
  let at = 0;
  const number = (): number => {
    let value = 0;
    while (at < written.length) {
      const digit = VALUES[written.charCodeAt(at++)] ?? -1;
      if (digit < 0) return NaN;
      if (digit < ENDING) return value * ENDING + digit;
      value = value * LEADING + digit - ENDING;
    }
    return NaN;
  };
  let count = 0;
  let [lastStart, lastEnd] = [0, 0];
  while (at < written.length) {
    const token = number();
    const apart = Math.floor(token / CLASSES.length) % 2 === 1;
    const start = apart ? lastStart + number() : afterBlanks(text, lastEnd);
    const end = start + Math.floor(token / (2 * CLASSES.length)) + 1;
    if (!(end <= text.length)) break;
    starts[count] = start;
    ends[count] = end;
    classes[count] = token % CLASSES.length;
    [lastStart, lastEnd] = [start, end];
    count++;
  }
  const cut = <T extends Int32Array | Uint8Array>(column: T) => column.subarray(0, count) as T;
  return { count, starts: cut(starts), ends: cut(ends), classes: cut(classes) };
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

const isBlank = (code: number) => code === 32 || code === 9 || code === 10 || code === 13;

/** The index of the first token that ends behind `at`. */
export const firstAfter = ({ ends, count }: Tokens, at: number) => lowest(count, (i) => ends[i]! > at);

/** The index of the first token that starts at `at` or behind. */
export const firstFrom = ({ starts, count }: Tokens, at: number) => lowest(count, (i) => starts[i]! >= at);

function lowest(count: number, isThere: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isThere(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The tokens of a match that stand in `start..end`: the first one's index, and their number. */
export function tokensOf(tokens: Tokens, start: number, end: number, expected: number): [number, number] {
  const { starts } = tokens;
  let first = firstFrom(tokens, start);
  const last = firstFrom(tokens, end);
  // Where one character holds several tokens, the match may begin with any of them.
  while (last - first > expected && starts[first] === starts[first + 1]) first++;
  return [first, Math.min(last - first, expected)];
}

/**
 * Whether what stands before token `i`, or behind the last one, was left out of the comparison: comments,
 * imports and the like. In prose it is punctuation.
 */
export function isLeftOut({ count, classes }: Tokens, i: number): boolean {
  const isCode = (i: number) => i >= 0 && i < count && classes[i] !== WORD;
  return isCode(i - 1) || isCode(i);
}
