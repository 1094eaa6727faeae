// Where the report's data comes from. A page from disk has script files (`scripts.ts`).
import type { Overview, PairData, TextData } from './model.ts';

/** Loads parts of the report when they are first looked at. A part that could not be had may be asked for again. */
export interface Loader {
  overview(): Promise<Overview>;
  /** The passages of the listed pair `i`, from 0. */
  pair(i: number): Promise<PairData>;
  /** A text by submission and file, both from 0. */
  text(submission: number, file: number): Promise<TextData>;
}

/** A part of the report that is missing or is not what it should be. */
export class MissingData extends Error {
  constructor(
    readonly file: string,
    readonly damaged: boolean,
  ) {
    super(`${file} is ${damaged ? 'damaged' : 'missing'}`);
  }
}
