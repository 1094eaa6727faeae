// What documents of two submissions say of themselves alike, in words.
import type { SharedMetadata } from '../data/model.ts';
import { plural } from './format.ts';

/** What is said of a pair whose matching met a limit, wherever it is shown. */
export const WORK_LIMIT = 'Matching stopped at its work limit, so some matches may be missing or cut short.';

/** A sentence without its end: `both name Nadja Keller as author`. */
export function saidInWords({ what, value }: SharedMetadata): string {
  switch (what) {
    case 'revision-ids':
      return `${plural(Number(value), 'editing session')} of Word in both: they descend from one file, or from one template`;
    case 'author':
      return `both name ${value} as author`;
    case 'last-author':
      return `both were last saved by ${value}`;
    case 'created':
      return `both were created at ${value}`;
    case 'program':
      return `both were written with ${value}`;
  }
}
