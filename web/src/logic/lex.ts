// A light reader of code, for colours and for the "why" panel: it cuts a text into tokens as people
// see them. Never more than O(n), whatever the text: what runs over lines is found by plain search.
import { languageOf, type Language } from './languages.ts';

export type TokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'mark';

export const KINDS: readonly TokenKind[] = ['comment', 'string', 'number', 'keyword', 'name', 'mark'];

/** Reads a text from its beginning as far as it is asked to. */
export class Lexer {
  /** Where the reader stands. Every token that starts before is known. */
  at = 0;
  /** Starts, ends and kinds (as indices of KINDS) of the tokens so far, ascending. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly kinds: number[] = [];
  private readonly language: Language | null;
  private readonly pattern: RegExp;
  private readonly openers: { open: string; close: string; kind: number; escapes: boolean }[];

  constructor(
    private readonly text: string,
    language: string,
    start = 0,
    private readonly end = text.length,
  ) {
    this.at = start;
    this.language = languageOf(language);
    this.openers = openersOf(this.language);
    this.pattern = patternOf(
      this.language,
      this.openers.map((opener) => opener.open),
    );
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  /** Reads up to `to`, but at most `most` units in this call; whether it got there. */
  reach(to: number, most = Infinity): boolean {
    const limit = Math.min(to, this.end, this.at + most);
    while (this.at < limit) this.step();
    return this.at >= Math.min(to, this.end);
  }

  /** The index of the first token that ends behind `at`. */
  firstAfter(at: number): number {
    let low = 0;
    let high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private step(): void {
    this.pattern.lastIndex = this.at;
    const found = this.pattern.exec(this.text);
    if (!found || found.index >= this.end) {
      this.at = this.end;
      return;
    }
    const start = found.index;
    const [whole, opener, line, text, number, name] = found;
    let end = start + whole.length;
    let kind = 5;
    if (opener !== undefined) {
      const rule = this.openers.find((rule) => rule.open === opener)!;
      end = this.closeOf(rule.close, start + opener.length, rule.escapes);
      kind = rule.kind;
    } else if (line !== undefined) kind = 0;
    else if (text !== undefined) kind = 1;
    else if (number !== undefined) kind = 2;
    else if (name !== undefined) kind = this.isKeyword(name) ? 3 : 4;
    this.starts.push(start);
    this.ends.push(Math.min(end, this.end));
    this.kinds.push(kind);
    this.at = end;
  }

  private closeOf(close: string, from: number, escapes: boolean): number {
    let at = this.text.indexOf(close, from);
    while (escapes && at > from && this.isEscaped(at, from)) at = this.text.indexOf(close, at + 1);
    return at < 0 ? this.end : at + close.length;
  }

  private isEscaped(at: number, from: number): boolean {
    let slashes = 0;
    while (at - slashes > from && this.text[at - slashes - 1] === '\\' && slashes < 100) slashes++;
    return slashes % 2 === 1;
  }

  private isKeyword(name: string): boolean {
    if (!this.language) return false;
    return this.language.keywords.has(this.language.folded ? name.toLowerCase() : name);
  }
}

function openersOf(language: Language | null) {
  if (!language) return [];
  const comments = language.block.map(([open, close]) => ({ open, close, kind: 0, escapes: false }));
  const strings = language.strings.filter((string) => string.long);
  return [...comments, ...strings.map(({ open, close }) => ({ open, close, kind: 1, escapes: true }))];
}

const UNSEEN =
  '\\u00ad\\u034f\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff';
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const oneOf = (parts: string[]) => (parts.length > 0 ? parts.join('|') : '(?!)');

/** One alternative per group: opener, line comment, string, number, name; anything else is a mark. */
function patternOf(language: Language | null, openers: string[]): RegExp {
  const lines = (language?.line ?? []).map((line) => `${escape(line)}[^\\n]*`);
  const short = (language?.strings ?? []).filter((string) => !string.long);
  // Bounded, so that a line of many megabytes cannot exhaust the matcher.
  const strings = short.map(({ open }) => `${open}(?:\\\\.|[^${open}\\\\\\n]){0,4000}${open}?`);
  const number = language ? '\\d(?:[eEpP][+-]|[\\w.]){0,80}' : '\\p{N}{1,80}';
  // Characters that cannot be seen do not end a name: they are put there to hide it.
  const inside = `\\p{L}\\p{M}\\p{N}${UNSEEN}`;
  const name = language ? `[\\p{L}_$@${UNSEEN}][${inside}_$]*` : `[\\p{L}${UNSEEN}](?:['’-]?[${inside}])*`;
  const groups = [oneOf(openers.map(escape)), oneOf(lines), oneOf(strings), number, name];
  return new RegExp(`${groups.map((group) => `(${group})`).join('|')}|\\S`, 'gu');
}
