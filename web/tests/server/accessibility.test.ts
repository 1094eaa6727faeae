// axe-core finds no violation in the service's views, light and dark, at desk and phone width, in each language; targets are large
// enough.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch } from '../browser.ts';
import { faults } from './axe.ts';
import { combinations } from '../sample.ts';
import { wordsOf } from '../words.ts';
import { logIn, open, startBoth, type Servers } from './page.ts';

/** Buttons that ask before a deletion. */
const DELETE = /^(Delete this|Diesen) .*…$/;

const WINDOWS = [
  { name: 'desk', width: 1400, height: 900 },
  { name: 'tablet', width: 768, height: 1024 },
  { name: 'phone', width: 390, height: 844 },
];

let browser: Browser;
let servers: Servers;
before(async () => {
  browser = await launch();
  servers = await startBoth();
});
after(async () => {
  await browser.close();
  await servers.stop();
});

describe('axe-core on the service’s page', () => {
  for (const [{ name, width, height }, locale] of combinations(WINDOWS, ['de', 'en']))
    it(`finds nothing at ${name} width in ${locale}`, async () => {
      const found: string[] = [];
      const words = wordsOf(locale);
      const look = { width, height, locale };
      const nobody = await open(browser, servers.freshAddress, look);
      for (const path of ['/', '/setup/first-secret']) {
        await nobody.page.goto(path);
        found.push(...(await faults(nobody.page, path)));
      }
      await nobody.context.close();
      const { page, context } = await open(browser, servers.address, look);
      await page.goto('/login');
      await page.getByLabel(words.say('name')).waitFor();
      found.push(...(await faults(page, 'login')));
      await logIn(page, undefined, '/', words);
      for (const [view, path] of Object.entries(servers.views)) {
        await page.goto(path);
        found.push(...(await faults(page, view)));
        // With everything unfolded, and with what is shown once and asked before a deletion.
        const folds = page.locator('details:not([open]) > summary');
        while (await folds.count()) await folds.first().click();
        const link = page.getByRole('button', { name: words.say('make-link') });
        if (await link.count()) {
          await link.click();
          await page.getByRole('button', { name: words.say('have-kept') }).waitFor();
        }
        const remove = page.locator('.page button', { hasText: DELETE });
        if (await remove.count()) await remove.click();
        found.push(...(await faults(page, `${view}, unfolded`)));
      }
      await page.goto('/users');
      await page.getByLabel(words.say('name')).fill('Zoë');
      servers.mock.expire();
      await page.getByRole('button', { name: words.say('add'), exact: true }).click();
      await page.getByRole('dialog').waitFor();
      found.push(...(await faults(page, 'ended')));
      await context.close();
      assert.deepEqual(found, []);
    });
});
