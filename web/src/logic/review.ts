// Marks and notes as a table that goes from one reviewer to another: written as CSV, read back from it.
import { parseCsv, safeText } from './csv.ts';
import type { Key } from './wording.ts';

export const MARKS = ['copied', 'unsure', 'innocent'] as const;
export type MarkName = (typeof MARKS)[number];

/** The keys of what marks are called. */
export const MARK_NAMES: Record<MarkName, Key> = {
  copied: 'mark-name-copied',
  unsure: 'mark-name-unsure',
  innocent: 'mark-name-innocent',
};

export interface Review {
  mark: MarkName | '';
  note: string;
}

/** A reviewer's word on a pair of submissions, by their names, or on one submission: then `b` is empty. */
export interface Entry extends Review {
  a: string;
  b: string;
  reviewer: string;
}

export const asMark = (text: string): MarkName | '' => MARKS.find((name) => name === text) ?? '';

/** Names stand in the table as `safeText` writes them. Null if it is not a table of marks. */
export function readReview(csv: string): Entry[] | null {
  const [head = [], ...rows] = parseCsv(csv);
  const at = (name: string) => head.indexOf(name);
  const [a, b, mark, note, reviewer] = ['a', 'b', 'mark', 'note', 'reviewer'].map(at) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (a < 0 || b < 0 || mark < 0) return null;
  return rows.flatMap((row): Entry[] => {
    const cell = (index: number) => (index < 0 ? '' : (row[index] ?? ''));
    const entry = {
      a: cell(a),
      b: cell(b),
      mark: asMark(cell(mark)),
      note: unguarded(cell(note)),
      reviewer: unguarded(cell(reviewer)),
    };
    return entry.a !== '' && (entry.mark || entry.note) ? [entry] : [];
  });
}

/** Without the apostrophe that keeps a spreadsheet from running a text. */
function unguarded(text: string): string {
  const bare = text.replace(/^'/, '');
  return bare !== text && safeText(bare) === text ? bare : text;
}
