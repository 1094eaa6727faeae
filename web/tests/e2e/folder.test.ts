// What the page says when its folder is not complete, when scripts are off, and what its policy lets in.
import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { address, launch, watch } from '../browser.ts';
import { exampleReport, foundIn } from '../example.ts';
import { call, temporary } from '../write.ts';

let browser: Browser;
let whole: string;
before(async () => {
  whole = exampleReport();
  browser = await launch();
});
after(() => browser.close());

async function opened(change: (folder: string) => void, hash = '') {
  const folder = temporary('part');
  cpSync(whole, folder, { recursive: true });
  change(folder);
  const watched = await watch(browser, folder);
  await watched.page.goto(address(folder, hash));
  return watched;
}

describe('the report folder', () => {
  it('says that the data is missing', async () => {
    const { page, context } = await opened((folder) => rmSync(join(folder, 'data'), { recursive: true }));
    await page.getByText('The report is not complete').waitFor();
    assert.match(await page.locator('main').innerText(), /data\/overview\.js is missing/);
    await context.close();
  });

  it('says that the data is damaged', async () => {
    const { page, context } = await opened((folder) =>
      writeFileSync(join(folder, 'data/overview.js'), 'fanmill("other", {});'),
    );
    await page.getByText('is damaged').waitFor();
    await context.close();
  });

  it('says that the data has another version', async () => {
    const { page, context } = await opened((folder) =>
      writeFileSync(
        join(folder, 'data/overview.js'),
        call('overview', { format: 'fanmill report', version: 99 }),
      ),
    );
    await page.getByText('do not fit together').waitFor();
    await context.close();
  });

  it('shows the scores of a pair whose texts are missing', async () => {
    for (const part of ['data/pairs', 'data/texts']) {
      const { page, context } = await opened(
        (folder) => rmSync(join(folder, part), { recursive: true }),
        '#/pair/2',
      );
      await page.getByText('The texts of this pair cannot be shown').waitFor();
      assert.ok(
        (await page.locator('.facts').innerText()).includes(foundIn(whole).pairs[1]!.score.toFixed(2)),
      );
      await context.close();
    }
  });

  it('asks again for a text that was missing', async () => {
    const { page, context } = await opened((folder) =>
      rmSync(join(folder, 'data/texts'), { recursive: true }),
    );
    const folder = new URL('.', page.url()).pathname;
    await page.goto(address(folder, '#/pair/2'));
    await page.getByText('The texts of this pair cannot be shown').waitFor();
    cpSync(join(whole, 'data/texts'), join(folder, 'data/texts'), { recursive: true });
    await page.locator('nav a', { hasText: 'Pairs' }).click();
    await page.locator('tr.row').first().waitFor();
    await page.goBack();
    await page.waitForSelector('.match');
    await context.close();
  });

  it('says what to do without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address(whole));
    assert.match(await page.locator('main').innerText(), /needs scripts.*report\.json/s);
    await context.close();
  });

  it('lets nothing in but its own scripts and style', async () => {
    const { page, complaints, strays, context } = await opened(() => {});
    await page.waitForSelector('main h1');
    const ran = await page.evaluate(async () => {
      const inline = document.createElement('script');
      inline.textContent = 'window.ran = true';
      document.head.append(inline);
      const image = document.createElement('img');
      image.src = 'https://evil.example/x.png';
      document.body.append(image);
      const style = document.createElement('style');
      style.textContent = 'h1 { color: red }';
      document.head.append(style);
      let fetched = false;
      await fetch('https://evil.example/')
        .then(() => (fetched = true))
        .catch(() => {});
      return {
        inline: 'ran' in window,
        fetched,
        colour: getComputedStyle(document.querySelector('h1')!).color,
      };
    });
    assert.equal(ran.inline, false);
    assert.equal(ran.fetched, false);
    assert.notEqual(ran.colour, 'rgb(255, 0, 0)');
    assert.ok(
      complaints.filter((text) => text.includes('Content Security Policy')).length >= 4,
      complaints.join('\n'),
    );
    assert.ok(strays.every((url) => url.startsWith('https://evil.example')));
    await context.close();
  });
});
