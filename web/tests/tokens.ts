// Tokens of made-up texts, written as the program writes them (`crates/fanmill-report/src/runs.rs`).
import { CLASSES, DIGITS } from '../src/data/model.ts';
import type { TokenClass } from '../src/logic/tokens.ts';

type Token = [TokenClass, start: number, end: number];

/** Tokens as one string; always with the distance between them, which is allowed. */
export function written(tokens: readonly Token[]): string {
  let out = '';
  const number = (value: number) => {
    const digits = [value % 64];
    for (let rest = Math.floor(value / 64); rest > 0; rest = Math.floor(rest / 28))
      digits.push(64 + (rest % 28));
    out += digits
      .reverse()
      .map((digit) => DIGITS[digit])
      .join('');
  };
  let last = 0;
  for (const [name, start, end] of tokens) {
    number((end - start - 1) * 12 + 6 + CLASSES.indexOf(name));
    number(start - last);
    last = start;
  }
  return out;
}

const CODE =
  /\/\/[^\n]*|\/\*[^]*?\*\/|(?<string>"[^"\n]*"?)|(?<number>\d[\w.]*)|(?<keyword>\b(?:class|else|for|if|import|int|public|return|static|while)\b)|(?<identifier>[\p{L}_$][\p{L}\p{M}\p{N}_$]*)|(?<spelled>\S)/gu;

/** Code that is like Java, read roughly: enough for tests. */
export function codeTokens(text: string): string {
  const tokens: Token[] = [];
  for (const { index, 0: whole, groups } of text.matchAll(CODE)) {
    const name = CLASSES.find((name) => groups?.[name] !== undefined);
    if (name) tokens.push([name, index, index + whole.length]);
  }
  return written(tokens);
}

/** The words of prose. */
export function wordTokens(text: string): string {
  const words = text.matchAll(/[\p{L}\p{N}](?:[-\u00ad\u200b\p{M}]*[\p{L}\p{M}\p{N}])*/gu);
  return written([...words].map(({ index, 0: word }) => ['word', index, index + word.length]));
}
