// Prose as its reader sees it: lines that were broken only because a file was written at some width are one
// paragraph again, and sentences are known. Nothing is changed in the text; these are stretches of it.
import { foldsAmong, linesOf, type Fold } from './lines.ts';

/** A paragraph, or a line that stands for itself. Together they hold every line of the text. */
export interface Paragraph {
  start: number;
  end: number;
  /** Its first line, from 1. */
  line: number;
  lines: number;
}

/** Nobody breaks prose at fewer or more columns than these. */
const NARROWEST = 30;
const WIDEST = 120;

/** Part of the lines that have to be full before a text counts as broken at a width. */
const MOSTLY = 0.7;

/** Part of the lines that have to begin with a small letter, or one of a script without capitals. */
const SMALL = 0.3;
const GOES_ON = /^[\p{Ll}\p{Lo}]/u;

/** What begins a line of its own: a list's item, a heading, a rule, a quotation, a table, a fence, a command. */
const OWN_LINE = /^(?:[-*+•–—]\s|[|#=>%\\]|--|```|~~~|\d{1,3}[.)]\s|[a-zA-Z][.)]\s)/;

/** What no line follows: a heading, a row of a table, a fence. */
const ALONE = /^(?:#|\||```|~~~)/;

/** Blanks and a list's marker. */
const MARKER = /^\s*(?:(?:[-*+•–>]|\d{1,3}[.)]|[a-zA-Z][.)])\s+)?/;

/** The paragraphs of a text, in order. Lines are joined only where most lines are full, as in a poem they are not. */
export function paragraphsOf(text: string): Paragraph[] {
  const lines = linesOf(text);
  const candidates = lines.flatMap((_, line) => (mayJoin(text, lines, line) ? [line] : []));
  const lengths = candidates.map((line) => lines[line]![1] - lines[line]![0]).sort((x, y) => x - y);
  // Some lines may be longer than the rest, as indented ones are.
  const width = lengths[Math.floor(0.75 * lengths.length)] ?? 0;
  const isFull = (line: number) => {
    const [start, end] = lines[line]!;
    return end - start + 1 + firstWord(text, lines[line + 1]![0]) > width;
  };
  const full = new Set(candidates.filter(isFull));
  // Verse has lines of one length too, but each begins with a capital.
  const within = candidates.filter((line) => GOES_ON.test(text.slice(...lines[line + 1]!).trimStart()));
  const isBroken =
    width >= NARROWEST &&
    full.size >= MOSTLY * candidates.length &&
    within.length >= SMALL * candidates.length;
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | null = null;
  lines.forEach(([start, end], line) => {
    if (open) [open.end, open.lines] = [end, open.lines + 1];
    else paragraphs.push((open = { start, end, line: line + 1, lines: 1 }));
    if (!isBroken || !full.has(line)) open = null;
  });
  return paragraphs.length > 0 ? paragraphs : [{ start: 0, end: 0, line: 1, lines: 1 }];
}

/** Whether a line could go on in the next one, if it is full. */
function mayJoin(text: string, lines: readonly [number, number][], line: number): boolean {
  const [start, end] = lines[line]!;
  const next = lines[line + 1];
  if (!next || end === start || end - start > WIDEST) return false;
  const [own, following] = [text.slice(start, end), text.slice(next[0], Math.min(next[1], next[0] + WIDEST))];
  const begins = following.trimStart();
  if (begins === '' || OWN_LINE.test(begins) || ALONE.test(own.trimStart())) return false;
  // Deeper than this line's own text, it begins something new.
  return following.length - begins.length <= MARKER.exec(own)![0].length;
}

function firstWord(text: string, start: number): number {
  return /^\s*\S*/.exec(text.slice(start, start + WIDEST))![0].trim().length;
}

/** The marker of a list's item, with the blanks around it: what continues hangs behind it. */
export function markerOf(text: string, { start, end }: Paragraph): string {
  const marker = MARKER.exec(text.slice(start, Math.min(end, start + WIDEST)))![0];
  return marker.trim() === '' ? '' : marker;
}

/** Longer paragraphs are not cut into sentences. */
const LONGEST = 50_000;

/** The part of a paragraph that holds `start..end` in whole sentences. */
export function inSentences(text: string, within: Paragraph, start: number, end: number): [number, number] {
  const [first, last] = [Math.max(start, within.start), Math.min(end, within.end)];
  if (within.end - within.start > LONGEST) return [first, last];
  // A line's end is no sentence's end; one blank for each, so that places stay.
  const flat = text.slice(within.start, within.end).replace(/\s/g, ' ');
  let [from, to] = [first, last];
  for (const { index, segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(flat)) {
    const [begins, ends] = [within.start + index, within.start + index + segment.trimEnd().length];
    if (begins <= first && ends > first) from = begins;
    if (begins < last && ends >= last) to = ends;
  }
  return [from, to];
}

/** The stretches of prose without a match, in whole paragraphs, but for those that begin where one was `opened`. */
export function proseFoldsOf(
  text: string,
  extents: readonly { start: number; end: number }[],
  opened: ReadonlySet<number>,
): Fold[] {
  // An empty line between two paragraphs counts as one.
  return foldsAmong(paragraphsOf(text), extents, opened, 1, 3);
}
