// English that is left on a page in another language.
import type { Page } from 'playwright-core';
import { filesOf, type Entry } from './words.ts';

const formsOf = (entry: Entry) => (typeof entry === 'string' ? [entry] : Object.values(entry));

/** The parts between places of the English sentences that read otherwise in a language: those that nothing else could be. */
function englishParts(language: string): string[] {
  const own = filesOf(language);
  const parts = new Set<string>();
  for (const [area, words] of filesOf('en'))
    for (const [key, entry] of Object.entries(words)) {
      const others = formsOf(own.get(area)![key]!).join(' ');
      for (const form of formsOf(entry))
        for (const part of form.split(/\{\w+\}|`/).map((part) => part.trim()))
          if (/\p{L}{2,} \p{L}{2,}/u.test(part) && !others.includes(part)) parts.add(part);
    }
  return [...parts];
}

/**
 * Finds English wording that people read or hear on a page in `language`, or would if they opened what is closed; and
 * places that have no value. Texts that were compared and what is marked as English may hold anything.
 */
export async function leftover(page: Page, language: string): Promise<string[]> {
  const said = await page.evaluate((foreign) => {
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement!.closest(`script, style, noscript, .text, code, ${foreign}`))
        texts.push(node.textContent!);
    for (const element of document.querySelectorAll(`:not(${foreign})`))
      for (const name of ['aria-label', 'aria-valuetext', 'placeholder', 'title'])
        texts.push(element.getAttribute(name) ?? '');
    return texts.join('\n').replace(/[^\S\n]+/g, ' ');
  }, `[lang]:not(html, [lang=${language}])`);
  return [...englishParts(language).filter((part) => said.includes(part)), ...(said.match(/\{\w+\}/g) ?? [])];
}
