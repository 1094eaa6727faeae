// axe-core finds no violation in the service's views, light and dark, at desk and phone width; targets are large enough.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { launch, painted } from '../browser.ts';
import { Mock } from './mock.ts';
import { furnished, logIn, open } from './page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser: Browser;
let mock: Mock;
let fresh: Mock;
let address: string;
let freshAddress: string;
let views: Record<string, string>;
before(async () => {
  browser = await launch();
  mock = new Mock();
  fresh = new Mock();
  [address, freshAddress] = [await mock.start(), await fresh.start()];
  fresh.firstLink();
  views = furnished(mock).views;
});
after(async () => {
  await browser.close();
  await mock.stop();
  await fresh.stop();
});

/** Violations, targets below 24 pixels, and whether the page is wider than its window. */
async function faults(page: Page, name: string): Promise<string[]> {
  await page.waitForSelector('main h1');
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  await painted(page);
  await page.evaluate(axe);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run({
      rules: { 'target-size': { enabled: true } },
    }),
  );
  const found = results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
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
  return found.map((one) => `${name} ${one}`);
}

describe('axe-core on the service’s page', () => {
  for (const [size, width, height] of [
    ['desk', 1400, 900],
    ['phone', 390, 844],
  ] as const) {
    for (const dark of [false, true]) {
      it(`finds nothing at ${size} width, ${dark ? 'dark' : 'light'}`, async () => {
        const found: string[] = [];
        const look = { width, height, dark };
        const nobody = await open(browser, freshAddress, look);
        for (const path of ['/', '/setup/first-secret']) {
          await nobody.page.goto(path);
          found.push(...(await faults(nobody.page, path)));
        }
        await nobody.context.close();
        const { page, context } = await open(browser, address, look);
        await page.goto('/login');
        await page.getByLabel('Name').waitFor();
        found.push(...(await faults(page, 'login')));
        await logIn(page);
        for (const [name, path] of Object.entries(views)) {
          await page.goto(path);
          found.push(...(await faults(page, name)));
          // With everything unfolded, and with what is shown once and asked before a deletion.
          const folds = page.locator('details:not([open]) > summary');
          while (await folds.count()) await folds.first().click();
          const link = page.getByRole('button', { name: 'Make a link' });
          if (await link.count()) {
            await link.click();
            await page.getByRole('button', { name: 'I have kept it' }).waitFor();
          }
          const remove = page.getByRole('button', { name: /^Delete this .*…$/ });
          if (await remove.count()) await remove.click();
          found.push(...(await faults(page, `${name}, unfolded`)));
        }
        await page.goto('/users');
        await page.getByLabel('Name').fill('Zoë');
        mock.expire();
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        await page.getByRole('dialog').waitFor();
        found.push(...(await faults(page, 'ended')));
        await context.close();
        assert.deepEqual(found, []);
      });
    }
  }
});
