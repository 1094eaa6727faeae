// "Why": what matched in a passage although the two texts differ. The program compares normalised
// tokens; here both texts of each match are cut into tokens again and laid side by side.
import { isHidden } from './hidden.ts';
import { isProse } from './languages.ts';
import { KINDS, Lexer, type TokenKind } from './lex.ts';
import type { Match } from '../data/model.ts';

export type Reason =
  | 'renamed'
  | 'keyword'
  | 'number'
  | 'string'
  | 'case'
  | 'look-alike'
  | 'hidden'
  | 'punctuation'
  | 'comment'
  | 'other';

/** One difference that did not prevent the match, however often it occurs. */
export interface Difference {
  reason: Reason;
  a: string;
  b: string;
  count: number;
  /** Where it occurs first, in either text. */
  at: { fileA: number; a: number; fileB: number; b: number };
  /** Whether `a` always became `b`, and `b` always was `a`: only for renamed ones. */
  consistent: boolean;
}

export interface Explanation {
  /** Tokens laid side by side, and how many of them read the same. */
  compared: number;
  equal: number;
  differences: Difference[];
  /** Comments on either side; the program does not compare them. */
  comments: { a: number; b: number; shared: number };
  /** Whether layout (blanks and line breaks) differs. */
  layout: boolean;
  /** Whether so much matched that only the beginning was laid side by side. */
  partial: boolean;
}

interface Word {
  text: string;
  kind: TokenKind;
  at: number;
}

/** Units of text per passage that are laid side by side: enough for some 5,000 lines. */
const MOST = 200_000;

export type TextOf = (file: number) => { text: string; language: string } | null;

export function explain(matches: readonly Match[], textA: TextOf, textB: TextOf): Explanation {
  const found = new Map<string, Difference>();
  const out: Explanation = {
    compared: 0,
    equal: 0,
    differences: [],
    comments: { a: 0, b: 0, shared: 0 },
    layout: false,
    partial: false,
  };
  let room = MOST;
  for (const match of matches) {
    const a = textA(match.a.file);
    const b = textB(match.b.file);
    if (!a || !b) continue;
    if (room <= 0) {
      out.partial = true;
      break;
    }
    room -= match.a.end - match.a.start;
    const wordsA = wordsOf(a, match.a.start, match.a.end);
    const wordsB = wordsOf(b, match.b.start, match.b.end);
    countComments(out, wordsA, wordsB);
    const code = (word: Word) => word.kind !== 'comment';
    const prose = isProse(a.language) || isProse(b.language);
    const same = prose ? reads : alike;
    for (const [x, y] of align(wordsA.filter(code), wordsB.filter(code), same)) {
      out.compared++;
      if (x.text === y.text) out.equal++;
      else note(found, x, y, match);
    }
    const squeezed = (text: string, from: number, to: number) => text.slice(from, to);
    const sameText =
      squeezed(a.text, match.a.start, match.a.end) === squeezed(b.text, match.b.start, match.b.end);
    const blanks = (text: string, from: number, to: number) => text.slice(from, to).replace(/\S+/g, 'x');
    out.layout ||=
      !sameText && blanks(a.text, match.a.start, match.a.end) !== blanks(b.text, match.b.start, match.b.end);
  }
  out.differences = judged([...found.values()]);
  return out;
}

function wordsOf(source: { text: string; language: string }, start: number, end: number): Word[] {
  const to = Math.min(end, start + MOST);
  const lexer = new Lexer(source.text, source.language, start, to);
  lexer.reach(to);
  const words = lexer.starts.map((at, i) => ({
    text: source.text.slice(at, lexer.ends[i]),
    kind: isDocstring(source, at) ? ('comment' as const) : KINDS[lexer.kinds[i]!]!,
    at,
  }));
  // Prose is compared by words alone.
  return isProse(source.language) ? words.filter((word) => word.kind !== 'mark') : words;
}

/** A Python string that is a statement of its own says something and does nothing. */
function isDocstring({ text, language }: { text: string; language: string }, at: number): boolean {
  if (language !== 'python' && language !== 'notebook') return false;
  if (!/^["']/.test(text.slice(at, at + 1))) return false;
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
}

function countComments(out: Explanation, a: readonly Word[], b: readonly Word[]): void {
  const comments = (words: readonly Word[]) => words.filter((word) => word.kind === 'comment');
  const texts = new Set(comments(b).map((word) => squeezed(word.text)));
  out.comments.a += comments(a).length;
  out.comments.b += comments(b).length;
  out.comments.shared += comments(a).filter((word) => texts.has(squeezed(word.text))).length;
}

const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Pairs up tokens that may count as the same, in order; leaves out what has no counterpart. */
export function align(
  a: readonly Word[],
  b: readonly Word[],
  same: (a: Word, b: Word) => boolean = alike,
): [Word, Word][] {
  const pairs: [Word, Word][] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (same(a[i]!, b[j]!)) {
      pairs.push([a[i++]!, b[j++]!]);
      continue;
    }
    const [skipA, skipB] = nextSame(a, i, b, j, same);
    // As many on both sides: the program has taken one for the other.
    for (let n = 0; n < skipA && skipA === skipB; n++) {
      if (a[i + n] && b[j + n]) pairs.push([a[i + n]!, b[j + n]!]);
    }
    i += skipA;
    j += skipB;
  }
  return pairs;
}

/** The fewest tokens to leave out on either side so that two such tokens follow on both. */
function nextSame(
  a: readonly Word[],
  i: number,
  b: readonly Word[],
  j: number,
  same: (a: Word, b: Word) => boolean,
): [number, number] {
  for (let distance = 1; distance <= 24; distance++) {
    for (let skipA = 0; skipA <= distance; skipA++) {
      const x = i + skipA;
      const y = j + distance - skipA;
      if (x >= a.length || y >= b.length || !same(a[x]!, b[y]!)) continue;
      const next = [a[x + 1], b[y + 1]] as const;
      if (!next[0] || !next[1] || same(next[0], next[1])) return [skipA, distance - skipA];
    }
  }
  return [1, 1];
}

/** Whether two words of prose read the same: nothing is renamed there. */
function reads(a: Word, b: Word): boolean {
  return a.text === b.text || letters(a.text) === letters(b.text);
}

/** A word as it is read: without hidden characters, case, hyphens, and with letters that look alike. */
const letters = (text: string) => skeleton(bare(text)).replace(/[^\p{L}\p{N}]/gu, '');

/** Whether the program may have taken two tokens of code for the same symbol. */
function alike(a: Word, b: Word): boolean {
  if (a.text === b.text) return true;
  return a.kind === b.kind && a.kind !== 'mark';
}

function note(found: Map<string, Difference>, a: Word, b: Word, match: Match): void {
  const reason = reasonOf(a, b);
  const key = `${reason}\0${a.text}\0${b.text}`;
  const known = found.get(key);
  if (known) known.count++;
  else {
    const at = { fileA: match.a.file, a: a.at, fileB: match.b.file, b: b.at };
    found.set(key, { reason, a: a.text, b: b.text, count: 1, at, consistent: false });
  }
}

/** Why two tokens that read differently count as equal. */
export function reasonOf(a: Word, b: Word): Reason {
  if (bare(a.text) === bare(b.text)) return 'hidden';
  const [x, y] = [bare(a.text), bare(b.text)];
  if (x.toLowerCase() === y.toLowerCase()) return 'case';
  if (skeleton(x) === skeleton(y)) return 'look-alike';
  if (a.kind === 'mark' || b.kind === 'mark') return 'punctuation';
  if (a.kind === 'string' || b.kind === 'string') return 'string';
  if (a.kind === 'number' || b.kind === 'number') return 'number';
  if (a.kind === 'keyword' || b.kind === 'keyword') return 'keyword';
  return a.kind === 'name' && b.kind === 'name' ? 'renamed' : 'other';
}

/** Without characters that cannot be seen. */
function bare(text: string): string {
  let out = '';
  for (const c of text) if (!isHidden(c.codePointAt(0) ?? 0)) out += c;
  return out;
}

/** Cyrillic and Greek letters that look like Latin ones: the common part of Unicode's list. */
const LOOKS: Record<string, string> = Object.fromEntries(
  [...'аaеeоoрpсcуyхxіiјjѕsԁdһhкkвbмmнhтtгrԛqԝwοoαaρpνvυuιiκkτtγyχx'].reduce<[string, string][]>(
    (pairs, c, i, all) => (i % 2 === 0 ? [...pairs, [c, all[i + 1]!]] : pairs),
    [],
  ),
);

function skeleton(text: string): string {
  return [...text.normalize('NFKD').toLowerCase()]
    .filter((c) => !/\p{M}/u.test(c))
    .map((c) => (Object.hasOwn(LOOKS, c) ? LOOKS[c]! : c))
    .join('')
    .replace(/[01|]/g, (c) => (c === '0' ? 'o' : 'l'));
}

/** Most frequent first; a renaming is consistent if neither name takes part in another one. */
function judged(differences: Difference[]): Difference[] {
  const renamed = differences.filter((difference) => difference.reason === 'renamed');
  const count = (side: 'a' | 'b', name: string) => renamed.filter((d) => d[side] === name).length;
  if (renamed.length <= 500) {
    for (const difference of renamed) {
      difference.consistent = count('a', difference.a) === 1 && count('b', difference.b) === 1;
    }
  }
  return differences.sort((x, y) => y.count - x.count || x.at.a - y.at.a);
}
