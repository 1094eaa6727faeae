// "Why": what matched in a passage although the two texts differ. The program compares symbols, one for
// all names, numbers or strings of code; here both sides of each match are laid side by side as written.
import type { Match, Passage } from '../data/model.ts';
import { CLASSES } from '../data/model.ts';
import { isHidden } from './hidden.ts';
import type { SourceFile } from './source.ts';
import { touching } from './strokes.ts';
import { isLeftOut, tokensOf, type TokenClass } from './tokens.ts';

export type Reason =
  'renamed' | 'number' | 'string' | 'case' | 'look-alike' | 'hidden' | 'form' | 'punctuation' | 'other';

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
  /** Tokens laid side by side, as many as the passage counts, and how many of them read the same. */
  compared: number;
  equal: number;
  /** Tokens that match too, but are boilerplate and do not count. */
  boilerplate: number;
  differences: Difference[];
  /** Comments, imports and the like between the tokens of either side; the program does not compare them. */
  leftOut: { a: number; b: number; shared: number };
  /** Whether layout (blanks and line breaks) differs. */
  layout: boolean;
  /** Whether only the beginning was laid side by side, because it is long or the text was cut. */
  partial: boolean;
}

export interface Word {
  text: string;
  class: TokenClass;
  at: number;
}

/** Tokens of a passage that are laid side by side: some 5,000 lines. */
const MOST = 50_000;

export type FileOf = (file: number) => SourceFile | null | undefined;

/** A token of A beside the one of B that it matches. */
interface Beside {
  a: Word;
  b: Word;
  isGrey: [boolean, boolean];
  match: Match;
}

export function explain(passage: Passage, fileA: FileOf, fileB: FileOf): Explanation {
  const leftOut: [string[], string[]] = [[], []];
  const besides: Beside[] = [];
  let layout = false;
  let partial = false;
  for (const match of passage.matches) {
    const [a, b] = [fileA(match.a.file), fileB(match.b.file)];
    if (typeof a?.text !== 'string' || typeof b?.text !== 'string') continue;
    const [firstA, countA] = tokensOf(a.tokens, match.a.start, match.a.end, match.tokens);
    const [firstB, countB] = tokensOf(b.tokens, match.b.start, match.b.end, match.tokens);
    const count = Math.min(countA, countB, MOST - besides.length);
    partial ||= count < match.tokens;
    for (let i = 0; i < count; i++) {
      const isGrey: [boolean, boolean] = [greyAt(a, firstA + i), greyAt(b, firstB + i)];
      besides.push({ a: wordAt(a, firstA + i), b: wordAt(b, firstB + i), isGrey, match });
      if (i === 0) continue;
      const [gapA, gapB] = [gapBefore(a, firstA + i), gapBefore(b, firstB + i)];
      layout ||= gapA.text !== gapB.text && gapA.text.trim() === '' && gapB.text.trim() === '';
      if (gapA.said) leftOut[0].push(gapA.said);
      if (gapB.said) leftOut[1].push(gapB.said);
    }
  }
  // A passage counts the tokens of the side that has more boilerplate.
  const counted = [0, 1].map((side) => besides.filter(({ isGrey }) => !isGrey[side]));
  const [onA, onB] = counted as [Beside[], Beside[]];
  const shown = onA.length <= onB.length ? onA : onB;
  const said = new Set(leftOut[1]);
  return {
    compared: shown.length,
    equal: shown.filter(({ a, b }) => a.text === b.text).length,
    boilerplate: besides.length - shown.length,
    differences: differencesOf(shown),
    leftOut: {
      a: leftOut[0].length,
      b: leftOut[1].length,
      shared: leftOut[0].filter((text) => said.has(text)).length,
    },
    layout,
    partial,
  };
}

function wordAt(file: SourceFile, i: number): Word {
  const { tokens } = file;
  const at = tokens.starts[i]!;
  return { text: written(file, at, tokens.ends[i]!), class: CLASSES[tokens.classes[i]!]!, at };
}

/** What a stretch of a file says: a notebook is JSON, in which a character may be written as an escape. */
function written({ text, language }: SourceFile, start: number, end: number): string {
  const raw = text!.slice(start, end);
  return language === 'notebook' ? unescaped(raw) : raw;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Text with the escapes of JSON undone; what is not one stays. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([nrtbf"\\/]))/g, (_, code?: string, letter?: string) =>
    code === undefined ? (ESCAPES[letter!] ?? letter!) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function greyAt({ tokens, grey }: SourceFile, i: number): boolean {
  const at = tokens.starts[i]!;
  return touching(grey, at, at + 1).length > 0;
}

/** What stands before a token, and what of it the program left out although it says something. */
function gapBefore(file: SourceFile, i: number): { text: string; said: string } {
  const { tokens } = file;
  const gap = written(file, tokens.ends[i - 1]!, tokens.starts[i]!);
  if (!isLeftOut(tokens, i)) return { text: gap, said: '' };
  const said = gap.replace(/\s+/g, ' ').trim();
  return { text: gap, said: /[\p{L}\p{N}]/u.test(said) ? said : '' };
}

function differencesOf(besides: readonly Beside[]): Difference[] {
  const found = new Map<string, Difference>();
  for (const { a, b, match } of besides) {
    if (a.text === b.text) continue;
    const reason = reasonOf(a, b);
    const key = `${reason}\0${a.text}\0${b.text}`;
    const known = found.get(key);
    if (known) known.count++;
    else {
      const at = { fileA: match.a.file, a: a.at, fileB: match.b.file, b: b.at };
      found.set(key, { reason, a: a.text, b: b.text, count: 1, at, consistent: false });
    }
  }
  return judged([...found.values()]);
}

/** Why two tokens that read differently have one symbol. */
export function reasonOf(a: Word, b: Word): Reason {
  const [x, y] = [bare(a.text), bare(b.text)];
  if (x === y) return 'hidden';
  if (x.normalize('NFKC') === y.normalize('NFKC')) return 'form';
  const folded = (text: string) => text.normalize('NFKC').toLowerCase();
  if (folded(x) === folded(y)) return 'case';
  if (skeleton(x) === skeleton(y)) return 'look-alike';
  if (a.class === 'identifier' && b.class === 'identifier') return 'renamed';
  if (a.class === 'number' || a.class === 'string') return a.class;
  const letters = (text: string) => skeleton(text).replace(/[^\p{L}\p{N}]/gu, '');
  if (letters(x) === letters(y)) return 'punctuation';
  // Words of prose have one symbol only if they are spelled alike once disguises are taken off.
  return a.class === 'word' ? 'look-alike' : 'other';
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
