// axe-core finds no violation: every view, light and dark, at desk and phone width.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { address, launch, painted, watch } from '../browser.ts';
import { essays } from '../essays.ts';
import { exampleReport } from '../example.ts';
import { hostile } from '../hostile.ts';
import { temporary, writeReport } from '../write.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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

async function violations(
  folder: string,
  hash: string,
  look: { width: number; height: number; dark: boolean },
): Promise<string[]> {
  const { page, context } = await watch(browser, folder, look);
  await page.goto(address(folder, hash));
  await page.waitForSelector('main h1');
  if (/pair\/[14]\b|submission\/1\?/.test(hash)) await page.waitForSelector('.box .row .text span');
  await painted(page);
  await page.evaluate(axe);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  );
  await context.close();
  return results.violations.map(
    ({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
}

describe('axe-core', () => {
  for (const [name, width, height] of [
    ['desk', 1400, 900],
    ['phone', 390, 844],
  ] as const) {
    for (const dark of [false, true]) {
      it(`finds nothing at ${name} width, ${dark ? 'dark' : 'light'}`, async () => {
        const found: string[] = [];
        for (const [report, views] of [
          [folder, VIEWS],
          [prose, PROSE],
        ] as const)
          for (const hash of views)
            found.push(
              ...(await violations(report, hash, { width, height, dark })).map((one) => `${hash} ${one}`),
            );
        assert.deepEqual(found, []);
      });
    }
  }
  it('finds nothing in hostile reports', async () => {
    const found: string[] = [];
    for (const dark of [false, true]) {
      for (const hash of [
        '#/',
        '#/pairs?t=0',
        '#/pair/30',
        '#/submissions',
        '#/clusters',
        '#/submission/30?t=0',
      ]) {
        found.push(
          ...(await violations(strange, hash, { width: 1400, height: 900, dark })).map(
            (one) => `${hash} ${one}`,
          ),
        );
      }
    }
    assert.deepEqual(found, []);
  });
});
