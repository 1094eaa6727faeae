// Where a passage stands on one side, in words: by pages if the document has any, else by lines.
import type { Place } from '../data/model.ts';

const range = (first: number, last: number) => (first === last ? `${first}` : `${first}–${last}`);

/** `p. 12–13`, or the numbers of the lines, `7–9`. */
export function whereOf(first: Place, last: Place): string {
  if (first.pages && last.pages) return `p. ${range(first.pages[0]!, last.pages[1]!)}`;
  return range(first.first_line, last.last_line);
}

/** The same as part of a sentence: `lines 7–9`. */
export function whereInWords(first: Place, last: Place): string {
  const where = whereOf(first, last);
  return where.startsWith('p. ') ? where : `${/–/.test(where) ? 'lines' : 'line'} ${where}`;
}
