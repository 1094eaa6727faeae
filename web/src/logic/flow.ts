// A paragraph broken into rows of a proportional face. The page breaks it and not the browser, so that every
// row has one height and its place is known without drawing it.
import { isHidden } from './hidden.ts';
import { markerOf, type Paragraph } from './paragraphs.ts';

/** A face to set prose in: how wide rows may be, and how wide a UTF-16 unit is, in pixels. */
export interface Face {
  width: number;
  advance: (code: number) => number;
}

/** What a hidden character takes that is shown by its code. */
const HIDDEN = 46;

/** Indents deeper than this part of the width would leave no room. */
const DEEPEST = 1 / 3;

/**
 * Calls `row` for each part of a paragraph, with what it is indented by. Rows end behind blanks, so that words
 * stay whole unless one is wider than a row; what follows a list's marker hangs behind it.
 */
export function flow(
  text: string,
  paragraph: Paragraph,
  face: Face,
  row: (from: number, to: number, hang: number) => void,
): void {
  const { start, end } = paragraph;
  const most = face.width * DEEPEST;
  const indent = Math.min(
    most,
    widthOf(/^[ \t]*/.exec(text.slice(start, Math.min(end, start + 200)))![0], face),
  );
  const marker = markerOf(text, paragraph);
  const hang = marker ? Math.min(most, indent + widthOf(marker.trimStart(), face)) : 0;
  let [from, blank, margin] = [start, -1, indent];
  // Blanks that follow a blank, or begin a row, take no room: the page draws them as one.
  let [x, wasBlank] = [margin, true];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) {
      if (!wasBlank) x += face.advance(32);
      [wasBlank, blank] = [true, at + 1];
      continue;
    }
    wasBlank = false;
    x += isHidden(code) && !isHalf(code) ? HIDDEN : face.advance(code);
    if (isWide(code) && at > from && !isLow(code)) blank = at;
    if (x <= face.width || at === from) continue;
    const to = blank > from ? blank : isLow(code) ? at - 1 : at;
    if (to <= from) continue;
    row(from, to, margin);
    [from, at, blank, margin, x, wasBlank] = [to, to - 1, -1, hang, hang, true];
  }
  row(from, end, margin);
}

function widthOf(text: string, { advance }: Face): number {
  let width = 0;
  for (let at = 0; at < text.length; at++)
    width += advance(isBlank(text.charCodeAt(at)) ? 32 : text.charCodeAt(at));
  return width;
}

const isBlank = (code: number) => code === 32 || code === 9 || code === 10 || code === 13;
const isHalf = (code: number) => code >= 0xd800 && code <= 0xdfff;
const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff;
/** Scripts without blanks between words may break before any character. */
const isWide = (code: number) => code >= 0x2e80 && code <= 0xd7ff;
