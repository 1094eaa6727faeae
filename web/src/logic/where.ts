// Where a passage stands on one side: by pages if the document has any, else by lines.
import type { Place } from '../data/model.ts';

const range = (first: number, last: number) => (first === last ? `${first}` : `${first}–${last}`);

/** `p. 12–13`, or null if the document has no pages. */
const onPages = (first: Place, last: Place) =>
  first.pages && last.pages ? `p. ${range(first.pages[0]!, last.pages[1]!)}` : null;

/** `p. 12–13`, or the numbers of the lines, `7–9`. */
export function whereOf(first: Place, last: Place): string {
  return onPages(first, last) ?? range(first.first_line, last.last_line);
}

/** The same as part of a sentence: `lines 7–9`. */
export function whereInWords(first: Place, last: Place): string {
  const lines = first.first_line === last.last_line ? 'line' : 'lines';
  return onPages(first, last) ?? `${lines} ${range(first.first_line, last.last_line)}`;
}
