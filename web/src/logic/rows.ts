// A submission's files as one column of rows of equal height, so that any of 100,000 lines can be
// shown without laying out the others. Long lines are broken here and not by the browser.
import { isHidden } from './hidden.ts';
import type { Fold } from './lines.ts';
import { flow, type Face } from './flow.ts';
import { paragraphsOf } from './paragraphs.ts';
import type { SourceFile } from './source.ts';

/** What a row holds: a file's name, the beginning of a line, its continuation, a remark, or lines folded away. */
export const HEAD = 0;
export const LINE = 1;
export const MORE = 2;
export const NOTE = 3;
export const FOLD = 4;

/** Rows beyond this are not shown: browsers draw no column higher than some 17 million pixels. */
export const MOST_ROWS = 750_000;

export const TAB = 4;

/** One array per column of the table; row `i` covers `start[i]..end[i]` of file `file[i]`. */
export interface Rows {
  count: number;
  kind: Uint8Array;
  file: Int32Array;
  line: Int32Array;
  start: Int32Array;
  end: Int32Array;
  /** Columns by which a row is indented, pixels in prose; of a fold, how many lines it holds. */
  extra: Int32Array;
  /** Row of each file's head. */
  heads: number[];
}

/**
 * Lays files out at a width in columns of a fixed-pitch font, with some stretches of each folded away. Where a
 * proportional face is given, prose flows in it.
 */
export function layOut(
  files: readonly SourceFile[],
  columns: number,
  folds: readonly (readonly Fold[])[] = [],
  face: Face | null = null,
): Rows {
  const build = new Builder();
  const width = Math.max(20, columns);
  files.forEach((file, index) => {
    build.heads.push(build.count);
    build.push(HEAD, index, 0, 0, 0);
    if (file.text === null) return build.push(NOTE, index, 0, 0, 0);
    if (face && file.prose) layOutProse(file.text, index, face, folds[index] ?? [], build);
    else layOutText(file.text, index, width, folds[index] ?? [], build);
    if (file.cut > 0 || build.full) build.push(NOTE, index, 0, file.text.length, file.text.length, true);
  });
  return build.rows();
}

function layOutProse(text: string, file: number, face: Face, folds: readonly Fold[], build: Builder): void {
  let fold = 0;
  let behind = 0;
  for (const paragraph of paragraphsOf(text)) {
    if (build.full) return;
    const { start, line } = paragraph;
    if (start < behind) continue;
    const folded = folds[fold];
    if (folded?.start === start) {
      build.push(FOLD, file, line, start, folded.end, false, folded.lines);
      behind = folded.end + 1;
      fold++;
      continue;
    }
    flow(text, paragraph, face, (from, to, hang) =>
      build.push(from === start ? LINE : MORE, file, line, from, to, false, hang),
    );
  }
}

function layOutText(text: string, file: number, width: number, folds: readonly Fold[], build: Builder): void {
  let line = 1;
  let start = 0;
  let fold = 0;
  while (start <= text.length && !build.full) {
    const folded = folds[fold];
    if (folded?.start === start) {
      build.push(FOLD, file, line, start, folded.end, false, folded.lines);
      line += folded.lines;
      fold++;
      const feed = text.indexOf('\n', folded.end);
      if (feed < 0) return;
      start = feed + 1;
      continue;
    }
    let feed = text.indexOf('\n', start);
    if (feed < 0) feed = text.length;
    // An empty line after the last line feed is none.
    if (start === text.length && line > 1) return;
    const end = feed > start && text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
    breakLine(text, start, end, width, (from, to, hang) =>
      build.push(from === start ? LINE : MORE, file, line, from, to, false, hang),
    );
    line++;
    start = feed + 1;
  }
}

/**
 * Calls `row` for each part of a line. It breaks behind a blank, or else behind a sign, so that words stay whole
 * as long as they fit; continuations hang, two columns deeper than the line.
 */
function breakLine(
  text: string,
  start: number,
  end: number,
  width: number,
  row: (from: number, to: number, hang: number) => void,
): void {
  let from = start;
  let column = 0;
  let indent = -1;
  let hang = 0;
  let [blank, sign] = [-1, -1];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isBlank = code === 32 || code === 9;
    if (indent < 0 && !isBlank) indent = column;
    column += code === 9 ? TAB - (column % TAB) : columnsOf(code);
    if (column > width && at > from) {
      const low = code >= 0xdc00 && code <= 0xdfff;
      const late = (place: number) => place > from + (width - hang) / 3;
      const to = late(blank) ? blank : late(sign) ? sign : low ? at - 1 : at;
      if (to > from) {
        row(from, to, hang);
        hang = Math.min(Math.max(0, indent) + 2, width >> 1);
        [from, at, column] = [to, to - 1, hang];
        [blank, sign] = [-1, -1];
        continue;
      }
    }
    if (isBlank) blank = at + 1;
    else if (isSign(code)) sign = at + 1;
  }
  row(from, end, hang);
}

/** Behind these a line may break: `( ) , . / : ; = > ] { | }` and the like. */
const isSign = (code: number) => SIGNS.has(code);
const SIGNS = new Set([...'&()*+,-./:;<=>?[]{|}'].map((sign) => sign.charCodeAt(0)));

/** Columns that a UTF-16 unit takes, roughly: wide scripts two, marks of hidden characters more. */
function columnsOf(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 1;
  if (code >= 0x300 && code <= 0x36f) return 0;
  if (code >= 0xdc00 && code <= 0xdfff) return 0;
  if (code >= 0xd800 && code <= 0xdbff) return 2;
  if (isHidden(code)) return 6;
  return code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0xd7ff) || code >= 0xf900) ? 2 : 1;
}

class Builder {
  count = 0;
  heads: number[] = [];
  private size = 4096;
  private kind = new Uint8Array(this.size);
  private columns = [0, 0, 0, 0, 0].map(() => new Int32Array(this.size));

  get full(): boolean {
    return this.count >= MOST_ROWS;
  }

  push(
    kind: number,
    file: number,
    line: number,
    start: number,
    end: number,
    always = false,
    extra = 0,
  ): void {
    if (this.full && !always) return;
    if (this.count === this.size) this.grow();
    this.kind[this.count] = kind;
    [file, line, start, end, extra].forEach((value, i) => (this.columns[i]![this.count] = value));
    this.count++;
  }

  private grow(): void {
    this.size *= 2;
    const wider = <T extends Uint8Array | Int32Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.kind = wider(this.kind, new Uint8Array(this.size));
    this.columns = this.columns.map((column) => wider(column, new Int32Array(this.size)));
  }

  rows(): Rows {
    const [file, line, start, end, extra] = this.columns as [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    return { count: this.count, kind: this.kind, file, line, start, end, extra, heads: this.heads };
  }
}

/** The row that shows place `at` of a file: the last one that starts at or before it. */
export function rowOf(rows: Rows, file: number, at: number): number {
  const first = (rows.heads[file] ?? 0) + 1;
  const last = (rows.heads[file + 1] ?? rows.count) - 1;
  let low = first;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (rows.start[middle]! <= at && rows.kind[middle] !== NOTE) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The row at which a line of a file begins. */
export function rowOfLine(rows: Rows, file: number, line: number): number {
  let low = (rows.heads[file] ?? 0) + 1;
  let high = (rows.heads[file + 1] ?? rows.count) - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.kind[middle] === NOTE || rows.line[middle]! >= line) high = middle;
    else low = middle + 1;
  }
  return low;
}
