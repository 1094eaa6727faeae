// What axe-core and a look at sizes find wrong with a view of the service.
import type { Page } from 'playwright-core';
import { violations } from '../axe.ts';
import { painted } from '../browser.ts';

/** Violations, targets below 24 pixels, whether the page is wider than its window, and whether it has moved the focus. */
export async function faults(page: Page, name: string, focus: 'moved' | 'free' = 'moved'): Promise<string[]> {
  await page.waitForSelector('main h1');
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  await painted(page);
  const found = await violations(page);
  found.push(
    ...(await page.evaluate(() => {
      const small = [
        ...document.querySelectorAll('main :is(a, button, input, select, summary), header :is(a, button)'),
      ]
        .filter((element) => element.checkVisibility() && !element.classList.contains('visually-hidden'))
        // A link in the middle of a sentence may be as high as its line.
        .filter((element) => !element.matches('p a'))
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(
          ({ element, box }) => !element.matches('[type=checkbox]') && (box.width < 24 || box.height < 23.9),
        )
        .map(({ element, box }) => `small: ${element.outerHTML.slice(0, 90)} ${box.width}×${box.height}`);
      const wide = document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : [];
      return [...small, ...wide, ...(document.activeElement === document.body ? ['focus on body'] : [])];
    })),
  );
  return found.filter((one) => focus === 'moved' || one !== 'focus on body').map((one) => `${name} ${one}`);
}
