// A submission's own view: where it opens, and what is set aside on it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, until, watch } from '../browser.ts';
import { classroom } from '../classroom.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
let page: Page;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

describe('a submission', () => {
  it('opens at the file with most passages', async () => {
    const report = classroom(50, 200);
    // Its passages lie in the second file but one.
    report.pairs = new Map(
      [...report.pairs].map(([i, { passages, metadata }]) => [
        i,
        {
          metadata,
          passages: passages.map((passage) => ({
            ...passage,
            matches: passage.matches.map((match) => ({
              ...match,
              a: { ...match.a, file: i === 0 ? 0 : 1 },
              b: { ...match.b, file: 1 },
            })),
          })),
        },
      ]),
    );
    const folder = temporary('opens');
    writeReport(folder, report);
    ({ page } = await watch(browser, folder, { width: 1440, height: 900 }));
    await page.goto(address(folder, '#/submission/1?t=0'));
    await page.waitForSelector('.depth');
    const file = page.getByLabel(/^File, /);
    await until(page, async () => (await file.inputValue()) === '1');
    assert.match(await page.locator('.box .row').first().innerText(), /Other\.java|int step|total/);
  });
});
