// Clusters: every mark has a number that the list beside it explains, a chosen cluster fills the frame and shows its pairs, and
// the heat map has names, a scale, and cells that a finger hits.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, painted, until, watch } from '../browser.ts';
import { personOf } from '../classroom.ts';
import { exampleReport, foundIn, type Found } from '../example.ts';
import { paperReport } from '../paper.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
let example: string;
let found: Found;
let many: string;
before(async () => {
  example = exampleReport();
  found = foundIn(example);
  many = temporary('clusters');
  writeReport(many, paperReport());
  browser = await launch();
});
after(() => browser?.close());

/** The left, top, width and height of what is seen of the graph. */
const seen = async (page: Page) =>
  (await page.locator('.frame svg').first().getAttribute('viewBox'))!.split(' ').map(Number) as [
    number,
    number,
    number,
    number,
  ];

const placesOfNodes = (page: Page) =>
  page.locator('.node').evaluateAll((nodes) =>
    nodes.map(
      (node) =>
        node
          .getAttribute('transform')!
          .match(/-?[\d.]+/g)!
          .map(Number) as [number, number],
    ),
  );

/** Tells whether a box lies in the window and is not covered. */
const isInSight = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return (
        top >= 0 && bottom <= innerHeight && hit !== null && (element.contains(hit) || hit.contains(element))
      );
    }),
  );

describe('the graph of clusters', () => {
  it('has a number in every mark, which the list explains', async () => {
    const { page, context } = await watch(browser, many, { width: 1440, height: 900 });
    await page.goto(address(many, '#/clusters?t=0'));
    await page.waitForSelector('.node');
    const numbers = await page.locator('.frame .number').allTextContents();
    const nodes = await page.locator('.node').count();
    assert.ok(nodes >= 45);
    assert.deepEqual(
      numbers.map(Number).sort((x, y) => x - y),
      Array.from({ length: nodes }, (_, i) => i + 1),
    );
    const list = (await page.locator('nav[aria-label=Clusters]').innerText()).replaceAll('\u00a0', ' ');
    for (const number of numbers) assert.match(list, new RegExp(`(^|\\D)${number} \\p{L}`, 'u'), number);
    assert.ok(list.includes(`1 ${personOf(21)}`) || list.includes(personOf(21)));
    await context.close();
  });

  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
  ] as const)
    it(`shows a chosen cluster large, and its pairs without scrolling, at ${width} pixels`, async () => {
      const { page, context } = await watch(browser, example, { width, height });
      await page.goto(address(example, '#/clusters'));
      await page.waitForSelector('.node');
      const whole = await seen(page);
      await page.locator('nav[aria-label=Clusters] a').nth(1).click();
      await page.waitForURL(/clusters\/2/);
      await until(page, async () => (await seen(page))[2] < whole[2]);
      const [left, top, wide, high] = await seen(page);
      const ids = found.clusters.flatMap(({ members }) => members);
      const places = await placesOfNodes(page);
      for (const member of found.clusters[1]!.members) {
        const [x, y] = places[ids.indexOf(member)]!;
        assert.ok(x > left && x < left + wide && y > top && y < top + high, `${member}`);
      }
      const pairs = await isInSight(page, '.beside .links a.score');
      assert.equal(pairs.length, found.clusters[1]!.links);
      assert.ok(pairs.every(Boolean));
      assert.equal(await page.evaluate('scrollY'), 0);
      await page.getByRole('button', { name: 'All clusters' }).click();
      await until(page, async () => (await seen(page))[2] === whole[2]);
      await context.close();
    });

  it('shows the cluster of a mark that is clicked', async () => {
    const { page, context } = await watch(browser, example, { width: 1440, height: 900 });
    await page.goto(address(example, '#/clusters'));
    await page.waitForSelector('.node');
    await page.locator('.node').nth(found.clusters[0]!.members.length).click({ force: true });
    await page.waitForURL(/clusters\/2/);
    await page.getByText(/^Cluster 2: \d+ pairs?$/).waitFor();
    await context.close();
  });
});

describe('the heat map', () => {
  for (const width of [390, 1440])
    it(`has names, numbers, a scale and cells of 24 pixels or more at ${width} pixels`, async () => {
      const { page, context } = await watch(browser, example, { width, height: 900 });
      await page.goto(address(example, '#/clusters?as=heat'));
      await page.waitForSelector('canvas');
      await painted(page);
      const size = found.clusters.flatMap(({ members }) => members).length;
      assert.equal(await page.locator('.heat .names li').count(), size);
      assert.equal(await page.locator('.heat .heads li').count(), size);
      assert.match(
        await page.locator('.scale').innerText(),
        /0\.00\s+0\.25\s+0\.50\s+0\.75\s+1\.00\s+not listed/,
      );
      const box = (await page.locator('canvas').boundingBox())!;
      assert.ok(box.width / size >= 24, `${box.width / size}`);
      // A chosen cluster stands alone.
      await page.locator('nav[aria-label=Clusters] a').first().click();
      await until(
        page,
        async () => (await page.locator('.heat .names li').count()) === found.clusters[0]!.members.length,
      );
      await context.close();
    });
});
