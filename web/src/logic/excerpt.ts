// What is printed of a passage on one side: whole lines of code, whole sentences of prose.
import type { Passage, Place, Side } from '../data/model.ts';
import { linesOf } from './lines.ts';
import { inSentences, paragraphsOf } from './paragraphs.ts';
import type { SourceFile } from './source.ts';
import { whereInWords } from './where.ts';

export interface ExcerptRow {
  /** The line at which it begins, from 1. */
  line: number;
  start: number;
  end: number;
}

export interface Excerpt {
  file: number;
  /** `lines 7–9`, or `p. 12–13`. */
  where: string;
  /** The places at which it begins and ends. */
  first: Place;
  last: Place;
  /** Empty if the report was written without the text. */
  rows: ExcerptRow[];
}

/** A passage on one side, in as many pieces as it touches files. */
export function excerptsOf(passage: Passage, side: Side, files: readonly SourceFile[]): Excerpt[] {
  const extents = new Map<number, { first: Place; last: Place }>();
  for (const match of passage.matches) {
    const place = match[side];
    const { first, last } = extents.get(place.file) ?? { first: place, last: place };
    extents.set(place.file, {
      first: place.start < first.start ? place : first,
      last: place.end > last.end ? place : last,
    });
  }
  return [...extents].map(([file, { first, last }]) => {
    const source = files[file];
    const rows = !source?.text
      ? []
      : source.prose
        ? sentences(source.text, first.start, last.end)
        : lines(source.text, first.first_line, last.last_line);
    return { file, where: whereInWords(first, last), first, last, rows };
  });
}

function lines(text: string, first: number, last: number): ExcerptRow[] {
  const rows = linesOf(text).slice(first - 1, last);
  return rows.map(([start, end], i) => ({ line: first + i, start, end }));
}

/** A row for each paragraph that the passage touches. */
function sentences(text: string, start: number, end: number): ExcerptRow[] {
  return paragraphsOf(text)
    .filter((paragraph) => paragraph.end > start && paragraph.start < end)
    .map((paragraph) => {
      const [from, to] = inSentences(text, paragraph, start, end);
      return { line: paragraph.line + lineEnds(text, paragraph.start, from), start: from, end: to };
    })
    .filter((row) => row.end > row.start);
}

const lineEnds = (text: string, from: number, to: number) => text.slice(from, to).split('\n').length - 1;
