// Puts the batch, the day and the page's number on every printed page, by a style sheet that the page makes itself: the text is
// the report's.
import { pageRule } from '../logic/pagerule.ts';
import { say } from '../logic/say.ts';

let sheet: CSSStyleSheet | null = null;

/** Sets the margins' text for whatever is printed next. */
export function setPageHead(batch: string, printed: string): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  sheet.replaceSync(pageRule(batch, printed, say('page-number')));
}
