// Header and footer of printed pages: margin boxes of a style sheet. Browsers that know none print their own instead.

/** A text as a string of CSS, whatever stands in it. */
export function cssString(text: string): string {
  const escaped = text.replace(/["\\<\p{Cc}\p{Zl}\p{Zp}]/gu, (c) => `\\${c.codePointAt(0)!.toString(16)} `);
  return `"${escaped}"`;
}

/**
 * The rule that puts a heading, the day and the page's number into the margins. `number` says how a page is numbered: `{page}` and
 * `{pages}` stand for its number and that of the last.
 */
export function pageRule(heading: string, day: string, number: string): string {
  const face = `font: 8pt system-ui, sans-serif; color: #55585e;`;
  return `@page {
  @top-left { content: ${cssString(heading)}; ${face} text-align: left; width: 70%; overflow: hidden; }
  @top-right { content: ${cssString(day)}; ${face} text-align: right; }
  @bottom-right { content: ${counted(number)}; ${face} text-align: right; }
}`;
}

const counted = (number: string) =>
  number
    .split(/(\{pages?\})/)
    .map((part) => (/^\{pages?\}$/.test(part) ? `counter(${part.slice(1, -1)})` : cssString(part)))
    .join(' ');
