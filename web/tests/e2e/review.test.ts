// What a reviewer does for hours: walk through a selection and come back, mark, find one person.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, painted, until, watch, type Watched } from '../browser.ts';
import { classroom, personOf } from '../classroom.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
let folder: string;
let watched: Watched;
let page: Page;
before(async () => {
  folder = temporary('class');
  writeReport(folder, classroom());
  browser = await launch();
  watched = await watch(browser, folder);
  page = watched.page;
});
after(() => browser.close());

async function open(hash: string, at = folder): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(at, hash));
  await page.waitForSelector('main h1');
}

const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement!;
    return `${element.tagName} ${element.getAttribute('data-row') ?? element.getAttribute('data-keep') ?? ''}`.trim();
  });

describe('walking through pairs', () => {
  it('goes through twenty pairs of a search by keys, marks them, and returns to the row', async () => {
    const query = `#/pairs?t=0&q=${encodeURIComponent('"ada lindqvist"')}`;
    await open(query);
    await page.locator('[role=status]', { hasText: '20 shown' }).waitFor();
    const start = page.url();
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('Enter');
    for (let place = 1; place <= 20; place++) {
      await page.locator('.steps', { hasText: `${place} of 20` }).waitFor();
      await page.locator('.head h1', { hasText: personOf(place) }).waitFor();
      assert.notEqual(await focused(), 'BODY');
      await page.keyboard.press(place % 2 ? 'c' : 'i');
      await page.locator(`.head select.${place % 2 ? 'copied' : 'innocent'}`).waitFor();
      if (place < 20) await page.keyboard.press('j');
    }
    await page.keyboard.press('k');
    await page.locator('.steps', { hasText: '19 of 20' }).waitFor();
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '18');
    assert.equal(page.url(), start);
    assert.equal(await page.locator('tr[data-row="18"] select').inputValue(), 'copied');
  });

  it('keeps the walk when a mark takes a pair out of the search', async () => {
    await open('#/pairs?t=0&q=mark%3Acopied');
    await page.locator('[role=status]', { hasText: '10 shown' }).waitFor();
    await page
      .locator('tr.row .names')
      .first()
      .click({ position: { x: 3, y: 3 } });
    await page.locator('.steps', { hasText: '1 of 10' }).waitFor();
    await page.keyboard.press('u');
    await page.keyboard.press('j');
    await page.locator('.steps', { hasText: '2 of 10' }).waitFor();
    await page.keyboard.press('k');
    await page.locator('.steps', { hasText: '1 of 10' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[role=status]', { hasText: '9 shown' }).waitFor();
  });

  it('returns to where the list was scrolled', async () => {
    await open('#/pairs?t=0');
    const box = page.locator('.scroll');
    await box.evaluate((box) => box.scrollTo(0, 2000));
    await page.locator('tr[data-row="35"]').waitFor();
    // A single click anywhere in the row opens it.
    await page.locator('tr[data-row="35"] .longest').click();
    await page.waitForURL(/pair\/36/);
    await page.waitForSelector('.match');
    assert.equal(await focused(), 'H1');
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '35');
    await until(page, async () => (await box.evaluate((box) => box.scrollTop)) > 1900);
  });

  it('keeps the focus on the control that was used', async () => {
    await open('#/pair/2?t=0');
    await page.locator('[data-keep=next]').focus();
    for (let i = 3; i < 6; i++) {
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`pair/${i}`));
      await painted(page);
      assert.equal(await focused(), 'A next');
    }
  });

  it('stops at no name inside a row: a row is one stop', async () => {
    await open('#/pairs?t=0');
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'SELECT');
    await page.keyboard.press('Tab');
    assert.ok(!(await page.evaluate(() => document.activeElement?.closest('tr.row'))));
  });
});

describe('a class', () => {
  it('complains of nothing and asks for nothing outside its folder', () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.strays, []);
  });
});
