// Nothing lies on anything else: in every view, on a phone, a small window, a desk, and a desk at 200 %, in English, and in German,
// whose words are longer.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { address, launch, painted, watch } from '../browser.ts';
import { essays } from '../essays.ts';
import { exampleReport } from '../example.ts';
import { hostile } from '../hostile.ts';
import { overlaps } from '../overlap.ts';
import { paperReport } from '../paper.ts';
import { combinations } from '../sample.ts';
import { wordsOf } from '../words.ts';
import { temporary, writeReport } from '../write.ts';

const VIEWS = [
  '#/',
  '#/pairs?t=0',
  '#/pair/1',
  '#/submissions',
  '#/clusters?t=0',
  '#/clusters/2?t=0',
  '#/clusters?t=0&as=heat',
  '#/submission/1?t=0',
  '#/submission/1?t=0&mark=source',
];
/** A window at 200 % has half as many pixels of the page. */
const WINDOWS = [
  { name: '390', width: 390, height: 844, zoom: 1 },
  { name: '1024', width: 1024, height: 768, zoom: 1 },
  { name: '1280', width: 1280, height: 800, zoom: 1 },
  { name: '1440', width: 1440, height: 900, zoom: 1 },
  { name: '1440 at 200 %', width: 720, height: 450, zoom: 2 },
] as const;

let browser: Browser;
const folders: Record<string, string> = {};
before(async () => {
  folders['the example'] = exampleReport();
  for (const [name, report] of [
    ['a class of 300', paperReport()],
    ['essays', essays()],
    ['hostile names', hostile()],
  ] as const) {
    folders[name] = temporary('boxes');
    writeReport(folders[name]!, report);
  }
  browser = await launch();
});
after(() => browser?.close());

/** Names are the same in every language. */
const REPORTS = {
  en: ['the example', 'a class of 300', 'essays', 'hostile names'],
  de: ['the example', 'a class of 300', 'essays'],
};

for (const [{ name, ...size }, locale] of combinations(WINDOWS, ['de', 'en'] as const))
  describe(`at ${name} pixels in ${locale}`, () => {
    const window = { ...size, locale };
    for (const of of REPORTS[locale])
      it(`nothing overlaps in a report of ${of}`, async () => {
        const folder = folders[of]!;
        const { page, context } = await watch(browser, folder, window);
        const found: string[] = [];
        for (const hash of VIEWS) {
          await page.goto('about:blank');
          await page.goto(address(folder, hash));
          await page.waitForSelector('main h1');
          if (/pair\/|submission\//.test(hash))
            await page.waitForSelector('.box .row .text span, .message, .empty');
          if (/clusters/.test(hash)) await page.waitForSelector('.node, canvas, .empty');
          await painted(page);
          found.push(...(await overlaps(page)).map((one) => `${hash} ${one}`));
        }
        await page.goto(address(folder, '#/submission/1?t=0'));
        await page.getByRole('button', { name: wordsOf(window.locale).say('student-open') }).click();
        found.push(...(await overlaps(page)).map((one) => `dialog ${one}`));
        await context.close();
        assert.deepEqual(found.slice(0, 12), []);
      });
  });
