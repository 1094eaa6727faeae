// A report of 2,000 submissions opens in a moment, and so do its large pairs: by the processor time that the
// page takes, since a busy machine is slow for everybody.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, Effort, launch, painted, watch, type Watched } from '../browser.ts';
import { synthetic, year } from '../synthetic.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
let folder: string;
let watched: Watched;
let page: Page;
let effort: Effort;

before(async () => {
  folder = temporary('large');
  writeReport(folder, synthetic());
  browser = await launch();
  watched = await watch(browser, folder);
  page = watched.page;
  effort = await Effort.of(watched);
});
after(() => browser.close());

/** The smallest of several times: what the work takes when nothing else is in its way. */
const least = (times: number[]) => Math.min(...times);

/** Processor time of the page, in milliseconds, until what `act` brings is drawn. */
function drawn(selector: string, act: () => Promise<unknown>): Promise<number> {
  return effort.during(async () => {
    await act();
    await page.waitForSelector(selector);
    await painted(page);
  });
}

describe('a report of 2,000 submissions', () => {
  it('opens its overview with at most 1.5 s of work', async (t) => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      await page.goto('about:blank');
      times.push(await drawn('.best li', () => page.goto(address(folder))));
    }
    t.diagnostic(`overview after ${times.map(Math.round).join(', ')} ms`);
    assert.ok(least(times) < 1500, `${times}`);
  });

  it('follows the threshold without delay', async (t) => {
    await page.goto(address(folder));
    await page.waitForSelector('input[type=range]');
    const all = await effort.during(async () => {
      await page.evaluate(() => {
        const range = document.querySelector<HTMLInputElement>('input[type=range]')!;
        for (let i = 0; i < 20; i++) {
          range.value = String(0.2 + i / 40);
          range.dispatchEvent(new Event('input', { bubbles: true }));
        }
      });
      await painted(page);
    });
    const took = all / 20;
    t.diagnostic(`${took.toFixed(1)} ms a step`);
    assert.ok(took < 100, `${took}`);
  });

  it('opens a pair of two files of 5,000 lines with at most 0.5 s of work', async (t) => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      await page.goto('about:blank');
      await page.goto(address(folder, '#/pairs'));
      await page.waitForSelector('tr.row');
      times.push(await drawn('.box .match', () => page.locator('tr.row .score a').first().click()));
    }
    t.diagnostic(`pair after ${times.map(Math.round).join(', ')} ms`);
    assert.ok(least(times) < 500 * (await effort.slowness()), `${times}`);
    assert.match(await page.locator('aside h2').first().innerText(), /100 passages/);
  });

  it('scrolls through two files of 100,000 lines, drawing only what is in view', async (t) => {
    await page.goto(address(folder, '#/pairs'));
    await page.waitForSelector('tr.row');
    const took = await drawn('.box .match', () => page.locator('tr.row .score a').nth(1).click());
    t.diagnostic(`pair of 100,000 lines after ${Math.round(took)} ms`);
    assert.ok(took < 3000, `${took}`);
    const box = page.locator('.box').first();
    const jump = await drawn('.box [data-line="100000"]', () =>
      box.evaluate((box) => box.scrollTo(0, box.scrollHeight)),
    );
    t.diagnostic(`jump to the last line ${Math.round(jump)} ms`);
    assert.ok(jump < 1500, `${jump}`);
    await page.waitForSelector('.box .t-keyword');
    assert.ok((await page.locator('.box .row').count()) < 400);
    // The list shows the chosen passage even when it is the last of two thousand.
    await page.goto(address(folder, '#/pair/2?p=2000'));
    await page.waitForSelector('li button[aria-current]');
  });

  it('draws only the rows in view of 2,500 pairs, and walks to the last one', async () => {
    await page.goto(address(folder, '#/pairs?t=0'));
    await page.waitForSelector('tr.row');
    assert.ok((await page.locator('tr.row').count()) < 60);
    assert.match(await page.locator('[role=status]').first().innerText(), /2.500 shown/);
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '2499');
    await page.keyboard.press('Enter');
    await page.waitForURL(/pair\/2500/);
    await page.waitForSelector('.match');
  });

  it('draws clusters of hundreds, and says what it leaves out', async (t) => {
    const took = await drawn('.node', () => page.goto(address(folder, '#/clusters?t=0.3')));
    t.diagnostic(`clusters after ${Math.round(took)} ms`);
    assert.ok((await page.locator('.node').count()) > 100);
  });

  it('complains of nothing and asks for nothing outside its folder', () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.strays, []);
  });
});

describe('a report of 1,200 submissions and 6,000 pairs', () => {
  let folder: string;
  let watched: Watched;
  let page: Page;
  let effort: Effort;
  before(async () => {
    folder = temporary('year');
    writeReport(folder, year());
    watched = await watch(browser, folder);
    page = watched.page;
    effort = await Effort.of(watched);
  });

  it('shows its clusters with at most 0.3 s of work beside the worker', async (t) => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      await page.goto('about:blank');
      await page.goto(address(folder));
      await page.waitForSelector('.best li');
      await painted(page);
      times.push(
        await effort.during(async () => {
          await page.getByRole('link', { name: 'Clusters', exact: true }).click();
          await page.waitForSelector('.node');
          await painted(page);
        }),
      );
    }
    t.diagnostic(`clusters after ${times.map(Math.round).join(', ')} ms`);
    assert.ok((await page.locator('.node').count()) > 500);
    assert.ok(least(times) < 300 * (await effort.slowness()), `${times}`);
  });

  it('says that a chain joins half of the class, and shows its groups', async () => {
    await page.goto(address(folder, '#/clusters'));
    await page.waitForSelector('.node');
    const note = page.locator('.chain');
    assert.match(
      await note.innerText(),
      /A chain of pairs joins [\d\u202f]+ of 1\u202f200 submissions: .* shown as [\d\u202f]+ groups/,
    );
    // Where no chain joins half of the class any more, clusters are what pairs link.
    await page.locator('input[type=range]').fill('0.95');
    await note.waitFor({ state: 'detached' });
    await page.locator('input[type=range]').fill('0.4');
    await note.waitFor();
  });

  it('shows a large cluster over time in a box of bounded height, to the last one', async (t) => {
    // Less than half of all: no chain that is split.
    const crowd = temporary('crowd');
    writeReport(crowd, year(1300));
    const own = await watch(browser, crowd);
    const { page } = own;
    const effort = await Effort.of(own);
    await page.goto(address(crowd, '#/clusters?t=0.4'));
    const box = page.getByRole('group', { name: 'Timeline' });
    await box.locator('.stop').first().waitFor();
    const [frame, all] = [(await box.boundingBox())!, await box.evaluate((box) => box.scrollHeight)];
    const members = Number(
      (await page.getByRole('heading', { name: /members$/ }).innerText()).replace(/\D/g, ''),
    );
    assert.ok(members > 1000 && all > 24 * members, `${members} members, ${all} pixels`);
    assert.ok(frame.height <= 560, `${frame.height} pixels`);
    assert.ok((await box.locator('.stop').count()) < 60);
    const rows = page.getByRole('table', { name: 'Hand-in times' }).locator('tbody tr');
    assert.equal(await rows.count(), 200);
    const work = await effort.during(async () => {
      await box.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await box.locator(`g[transform$=" ${24 * members - 12})"]`).waitFor();
    });
    t.diagnostic(`the end of it after ${Math.round(work)} ms`);
    // The axis stays in view.
    const axis = (await box.locator('.axis').boundingBox())!;
    assert.ok(Math.abs(axis.y - (await box.boundingBox())!.y) < 2);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.equal(await box.locator('.stop').count(), 60);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await own.context.close();
  });

  it('follows the threshold among clusters with less than 0.1 s a step', async (t) => {
    await page.goto(address(folder, '#/clusters'));
    await page.waitForSelector('.node');
    const steps = 20;
    const all = await effort.during(async () => {
      for (let i = 0; i < steps; i++) {
        await page.locator('input[type=range]').evaluate((range: HTMLInputElement, i) => {
          range.value = String(0.4 + i / 40);
          range.dispatchEvent(new Event('input', { bubbles: true }));
        }, i);
        await painted(page);
      }
    });
    t.diagnostic(`${(all / steps).toFixed(1)} ms a step`);
    assert.ok(all / steps < 100, `${all / steps}`);
  });

  it('takes less than 100 MB', async (t) => {
    const session = await watched.context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    t.diagnostic(`${(usedSize / 1e6).toFixed(1)} MB`);
    assert.ok(usedSize < 100e6, `${usedSize}`);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.strays, []);
  });
});
