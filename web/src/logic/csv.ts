// Comma-separated values that no spreadsheet takes for formulas, by the rules of the program's
// `fanmill-report/src/csv.rs`.
import { printable } from './hidden.ts';

const FORMULA = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text as a cell: hidden characters as escapes, and an apostrophe before what could be run. */
export function safeText(text: string): string {
  const shown = printable(text);
  const guarded = shown
    .split(/(?<=;)/)
    .map((part) => (FORMULA.test(part) ? `'${part}` : part))
    .join('');
  return /^[\t\r\n]/.test(text) && !guarded.startsWith("'") ? `'${guarded}` : guarded;
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'number' ? number(value) : safeText(value);
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whole numbers as they are, fractions with four decimals. */
function number(value: number): string {
  if (!Number.isFinite(value)) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

export interface Sheet {
  /** Name of the file, without its ending. */
  name: string;
  columns: string[];
  rows: (string | number | null | undefined)[][];
}

export function toCsv(sheet: Sheet): string {
  return [sheet.columns, ...sheet.rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

/** Rows and cells of a table, whether commas or, as some spreadsheets write it, semicolons part them. */
export function parseCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const head = plain.slice(0, plain.search(/[\r\n]|$/));
  const separator = head.split(';').length > head.split(',').length ? ';' : ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < plain.length; i++) {
    const c = plain[i]!;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (plain[i + 1] === '"') cell += plain[++i];
      else quoted = false;
    } else if (c === '"' && cell === '') quoted = true;
    else if (c === separator) {
      row.push(cell);
      cell = '';
    } else if (c === '\n') {
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
    } else if (c !== '\r') cell += c;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}
