// A file of a submission as views use it: its text, its tokens, its boilerplate.
import type { TextData } from '../data/model.ts';
import { readTokens, WORD, type Tokens } from './tokens.ts';

/** A stretch of boilerplate. */
export interface Grey {
  start: number;
  end: number;
  why: TextData['grey'][number][2];
}

export interface SourceFile {
  path: string;
  language: string;
  /** Null if the report was written without it. */
  text: string | null;
  /** Bytes of UTF-8 that were cut off at the end. */
  cut: number;
  /** Ascending, apart. */
  grey: Grey[];
  tokens: Tokens;
  /** Whether it was compared word by word: all its tokens are words. */
  prose: boolean;
}

export function sourceFile(
  path: string,
  language: string,
  { text, cut, grey, tokens }: TextData,
): SourceFile {
  const read = readTokens(tokens, text ?? '');
  return {
    path,
    language,
    text,
    cut,
    grey: grey.map(([start, end, why]) => ({ start, end, why })),
    tokens: read,
    prose: read.count > 0 && read.classes.every((name) => name === WORD),
  };
}
