// Makes screenshots of each view, light and dark, at desk and phone width:
// npm run screenshots -- <report folder> <folder for the pictures> [<language>]
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { address, launch, watch } from './browser.ts';

const VIEWS: Record<string, string> = {
  overview: '#/',
  pairs: '#/pairs?t=0',
  pair: '#/pair/4',
  submissions: '#/submissions',
  clusters: '#/clusters',
  heatmap: '#/clusters?as=heat',
  submission: '#/submission/1?t=0',
};

const [report, out = 'screenshots', locale = 'en'] = process.argv.slice(2);
if (!report)
  throw new Error('usage: npm run screenshots -- <report folder> [<folder for the pictures> [<language>]]');
const folder = realpathSync(report);
mkdirSync(out, { recursive: true });
const browser = await launch();
for (const [size, width, height] of [
  ['desk', 1400, 900],
  ['phone', 390, 844],
] as const) {
  for (const dark of [false, true]) {
    const { page, context, complaints } = await watch(browser, folder, { width, height, dark, locale });
    for (const [name, hash] of Object.entries(VIEWS)) {
      await page.goto(address(folder, hash));
      await page.reload();
      await page.waitForSelector('main h1');
      await page.waitForTimeout(250);
      const path = join(out, `${name}-${size}-${dark ? 'dark' : 'light'}.png`);
      await page.screenshot({ path, fullPage: name === 'overview' || name === 'clusters' });
    }
    for (const complaint of complaints) console.error(complaint);
    await context.close();
  }
}
// Pictures in docs/images: pair and overview of `examples/assignment`, and a pair of `examples/essays`.
for (const dark of [false, true]) {
  const { page, context } = await watch(browser, folder, { width: 1200, height: 620, dark });
  for (const [name, hash] of [
    ['pair', '#/pair/2'],
    ['overview', '#/'],
  ] as const) {
    await page.goto(address(folder, hash));
    await page.reload();
    await page.waitForSelector('main h1');
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(out, `manual-${name}-${dark ? 'dark' : 'light'}.png`) });
  }
  await context.close();
}
await browser.close();
