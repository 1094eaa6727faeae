// Where a passage stands on one side: by pages if the document has any, else by lines.
import type { Place } from '../data/model.ts';
import { counted, say } from './say.ts';

const range = (first: number, last: number) => (first === last ? `${first}` : `${first}–${last}`);

/** `p. 12–13`, or null if the document has no pages. */
const onPages = (first: Place, last: Place) =>
  first.pages && last.pages ? say('on-page', { where: range(first.pages[0]!, last.pages[1]!) }) : null;

/** `p. 12–13`, or the numbers of the lines, `7–9`. */
export function whereOf(first: Place, last: Place): string {
  return onPages(first, last) ?? range(first.first_line, last.last_line);
}

/** The same as part of a sentence: `lines 7–9`. */
export function whereInWords(first: Place, last: Place): string {
  const where = range(first.first_line, last.last_line);
  return onPages(first, last) ?? counted('lines', first.first_line === last.last_line ? 1 : 2, { where });
}
