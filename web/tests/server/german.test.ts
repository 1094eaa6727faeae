// The service's page in German: logging in, every view, and what decides the language.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, painted } from '../browser.ts';
import { leftover } from '../leftover.ts';
import { overlaps } from '../overlap.ts';
import { wordsOf } from '../words.ts';
import { logIn, open, startBoth, type Servers } from './page.ts';

const german = wordsOf('de');

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

describe('the service’s page in a German browser', () => {
  for (const [size, width, height] of [
    ['1024', 1024, 768],
    ['390', 390, 844],
  ] as const)
    it(`has no English in it, and nothing overlaps, at ${size} pixels`, async () => {
      const found: string[] = [];
      const look = { width, height, locale: 'de' };
      const nobody = await open(browser, servers.freshAddress, look);
      for (const path of ['/', '/setup/first-secret']) {
        await nobody.page.goto(path);
        await nobody.page.waitForSelector('main h1');
        found.push(...(await leftover(nobody.page, 'de')), ...(await overlaps(nobody.page)));
      }
      await nobody.context.close();
      const { page, context, complaints } = await open(browser, servers.address, look);
      await page.goto('/');
      await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
      found.push(...(await leftover(page, 'de')));
      await logIn(page, undefined, '/', german);
      for (const [name, path] of Object.entries(servers.views)) {
        await page.goto(path);
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        const folds = page.locator('details:not([open]) > summary');
        while (await folds.count()) await folds.first().click();
        await painted(page);
        assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
        found.push(
          ...[...(await leftover(page, 'de')), ...(await overlaps(page))].map((one) => `${name}: ${one}`),
        );
      }
      await context.close();
      // The inputs of files lie on their labels, and somebody's token has an English name.
      const isMeant = (one: string) => /^[\w-]+:  \| |: Grading script$/.test(one);
      assert.deepEqual(
        found.filter((one) => !isMeant(one)),
        [],
      );
      assert.deepEqual(complaints, []);
    });

  it('says what a batch holds and how to delete it', async () => {
    const { page, context } = await open(browser, servers.address, { locale: 'de' });
    await logIn(page, undefined, servers.views.done, german);
    await page.getByRole('link', { name: 'Bericht öffnen' }).waitFor();
    assert.match(await page.locator('main').innerText(), /Abgaben\n48/);
    await page.getByRole('button', { name: 'Diesen Vergleich löschen …' }).click();
    const field = page.getByLabel(/^Geben Sie zur Bestätigung/);
    await field.fill('falsch');
    await field.press('Enter');
    await page.getByText(/Das ist noch nicht der Name/).waitFor();
    await context.close();
  });

  it('follows what the server sets, and the reader before that', async () => {
    const { page, context } = await open(browser, servers.address);
    await page.route(`${servers.address}/login`, async (route) => {
      const answer = await route.fetch();
      const meta = '<meta charset="utf-8" />\n<meta name="fanmill-language" content="de">';
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('<meta charset="utf-8" />', meta),
      });
    });
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.getByRole('button', { name: 'Show this page in English' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await context.close();
  });
});
