// What stands on paper: a page printed to PDF by the browser, and read back by the programs of poppler.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { combinations } from './sample.ts';
import { temporary } from './write.ts';

/** The forms of paper that people print on. */
export const PAPERS = combinations(['A4', 'Letter'] as const, [false, true]).map(([format, landscape]) => ({
  format,
  landscape,
}));
export type Paper = (typeof PAPERS)[number];
export const nameOf = ({ format, landscape }: Paper) => `${format} ${landscape ? 'landscape' : 'portrait'}`;

/** Fails where what reads PDFs is not installed, since nothing else checks what is printed. */
export function needPoppler(): void {
  for (const program of ['pdftotext', 'pdftoppm'])
    if (spawnSync(program, ['-v']).error)
      throw new Error(
        `${program} is not installed, and these tests read PDFs with it: install poppler-utils`,
      );
}

/** Prints a page; returns the path of the PDF. */
export async function printed(page: Page, paper: Paper = PAPERS[0]!): Promise<string> {
  const pdf = join(temporary('pdf'), 'page.pdf');
  await page.pdf({ path: pdf, ...paper });
  return pdf;
}

/** Blanks are where the layout needs them, and ligatures are what the font makes of letters. */
export const dense = (text: string) => text.normalize('NFKC').replace(/[\s\u00ad]+/g, '');

/** The text of each page, as it is laid out. */
export function pagesOf(pdf: string): string[] {
  const text = execFileSync('pdftotext', ['-layout', '-enc', 'UTF-8', pdf, '-'], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return text.split('\f').slice(0, -1);
}

/** All text, in the order in which it was drawn, without blanks. */
export function textOf(pdf: string): string {
  return dense(
    execFileSync('pdftotext', ['-raw', '-enc', 'UTF-8', pdf, '-'], { encoding: 'utf8', maxBuffer: 1e9 }),
  );
}

/** A word and its box on a page, in points. */
export interface Word {
  page: number;
  text: string;
  box: [left: number, top: number, right: number, bottom: number];
}

export function wordsOf(pdf: string): Word[] {
  const html = execFileSync('pdftotext', ['-bbox', '-enc', 'UTF-8', pdf, '-'], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const words: Word[] = [];
  let page = 0;
  const tags = /<page |<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)/g;
  for (const [tag, ...parts] of html.matchAll(tags)) {
    if (tag.startsWith('<page')) page++;
    else words.push({ page, text: parts[4]!, box: parts.slice(0, 4).map(Number) as Word['box'] });
  }
  return words;
}

/** Words that lie on each other: by more than a fifth of a line's height and half a letter. */
export function overprinted(words: readonly Word[]): string[] {
  const found: string[] = [];
  for (let page = 1; page <= (words.at(-1)?.page ?? 0); page++) {
    const sorted = words.filter((word) => word.page === page).sort((x, y) => x.box[1] - y.box[1]);
    sorted.forEach((word, i) => {
      const height = word.box[3] - word.box[1];
      for (let n = i + 1; n < sorted.length && sorted[n]!.box[1] < word.box[3]; n++) {
        const other = sorted[n]!;
        // Letters with an outline are drawn twice, in one place.
        const isSame = (side: 0 | 2) => Math.abs(other.box[side] - word.box[side]) < 0.1;
        if (other.text === word.text && isSame(0) && isSame(2)) continue;
        const deep = Math.min(word.box[3], other.box[3]) - other.box[1];
        const wide = Math.min(word.box[2], other.box[2]) - Math.max(word.box[0], other.box[0]);
        if (deep > 0.35 * height && wide > 1.5)
          found.push(`page ${page}: ${word.text} at ${word.box} on ${other.text} at ${other.box}`);
      }
    });
  }
  return found;
}

/** How light a page is on average, from 0 to 1. */
export function lightness(pdf: string, page = 1): number {
  const out = join(temporary('grey'), 'page');
  execFileSync('pdftoppm', [
    '-gray',
    '-r',
    '20',
    '-f',
    String(page),
    '-l',
    String(page),
    '-singlefile',
    pdf,
    out,
  ]);
  const bytes = readFileSync(`${out}.pgm`);
  // Three lines of a header: `P5`, width and height, 255.
  let start = 0;
  for (let lines = 0; lines < 3; start++) if (bytes[start] === 10) lines++;
  const grey = bytes.subarray(start);
  return grey.reduce((sum, value) => sum + value, 0) / grey.length / 255;
}
