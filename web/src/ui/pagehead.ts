// Header and footer of every printed page: the batch and the day at the top, the page's number at the bottom.
//
// They are margin boxes of a style sheet that the page makes itself, since the text is the report's; browsers that know no
// margin boxes print their own instead.

/** A text as a string of CSS, whatever stands in it. */
export function cssString(text: string): string {
  const escaped = text.replace(/["\\<\p{Cc}\p{Zl}\p{Zp}]/gu, (c) => `\\${c.codePointAt(0)!.toString(16)} `);
  return `"${escaped}"`;
}

/** The rule that puts a batch's name, the day and the page's number into the margins. */
export function pageRule(batch: string, printed: string): string {
  const face = `font: 8pt system-ui, sans-serif; color: #55585e;`;
  return `@page {
  @top-left { content: ${cssString(batch)}; ${face} text-align: left; width: 70%; overflow: hidden; }
  @top-right { content: ${cssString(printed)}; ${face} text-align: right; }
  @bottom-right { content: counter(page) " / " counter(pages); ${face} text-align: right; }
}`;
}

let sheet: CSSStyleSheet | null = null;

/** Sets the margins' text for whatever is printed next. */
export function setPageHead(batch: string, printed: string): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  sheet.replaceSync(pageRule(batch, printed));
}
