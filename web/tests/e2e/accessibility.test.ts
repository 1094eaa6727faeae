// axe-core finds no violation: every view, light and dark, at desk and phone width, in each language.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { violations } from '../axe.ts';
import { address, launch, painted, watch } from '../browser.ts';
import { essays } from '../essays.ts';
import { exampleReport } from '../example.ts';
import { hostile } from '../hostile.ts';
import { combinations } from '../sample.ts';
import { temporary, writeReport } from '../write.ts';

const VIEWS = [
  '#/',
  '#/?t=1',
  '#/pairs?t=0',
  '#/pairs?q=nothing',
  '#/pair/1',
  '#/pair/4?p=8',
  '#/submissions',
  '#/clusters',
  '#/clusters?t=1',
  '#/submission/1?t=0',
  '#/submission/1?t=0&with=4',
  '#/submission/1?t=0&mark=source',
  '#/submission/12',
  '#/pair/999',
];

/** Of the report of essays. */
const PROSE = ['#/', '#/pairs?t=0', '#/pair/1?t=0', '#/clusters', '#/submission/1?t=0'];

/** Of the hostile report. */
const STRANGE = ['#/', '#/pairs?t=0', '#/pair/30', '#/submissions', '#/clusters', '#/submission/30?t=0'];

const WINDOWS = [
  { name: 'desk', width: 1400, height: 900 },
  { name: 'phone', width: 390, height: 844 },
];

let browser: Browser;
let folder: string;
let strange: string;
let prose: string;
before(async () => {
  folder = exampleReport();
  strange = temporary('strange');
  writeReport(strange, hostile());
  prose = temporary('prose');
  writeReport(prose, essays());
  browser = await launch();
});
after(() => browser.close());

/** Looks at the views of a report, in both themes. */
async function faults(
  folder: string,
  views: string[],
  width: number,
  height: number,
  locale = 'en',
): Promise<string[]> {
  const found: string[] = [];
  const { page, context } = await watch(browser, folder, { width, height, locale });
  for (const hash of views) {
    await page.goto('about:blank');
    await page.goto(address(folder, hash));
    await page.waitForSelector('main h1');
    if (/pair\/[14]\b|submission\/1\?/.test(hash)) await page.waitForSelector('.box .row .text span');
    await painted(page);
    found.push(...(await violations(page)).map((one) => `${hash} ${one}`));
  }
  await context.close();
  return found;
}

describe('axe-core', () => {
  for (const [{ name, width, height }, locale] of combinations(WINDOWS, ['de', 'en']))
    it(`finds nothing at ${name} width in ${locale}`, async () => {
      const found = await faults(folder, VIEWS, width, height, locale);
      assert.deepEqual([...found, ...(await faults(prose, PROSE, width, height, locale))], []);
    });
  it('finds nothing in hostile reports', async () => {
    assert.deepEqual(await faults(strange, STRANGE, 1400, 900), []);
  });
});
