// The report's page in German: every view, and what decides the language.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, painted, watch } from '../browser.ts';
import { classroom } from '../classroom.ts';
import { essays } from '../essays.ts';
import { exampleReport } from '../example.ts';
import { leftover } from '../leftover.ts';
import { wordsOf } from '../words.ts';
import { temporary, writeReport, type Report } from '../write.ts';

const german = wordsOf('de');
const VIEWS = [
  '#/',
  '#/?t=1',
  '#/pairs?t=0',
  '#/pairs?q=nothing',
  '#/pair/1',
  '#/pair/4?p=8',
  '#/pair/999',
  '#/submissions',
  '#/clusters?t=0',
  '#/clusters?t=0&as=heat',
  '#/clusters?t=1',
  '#/submission/1?t=0',
  '#/submission/1?t=0&mark=source',
  '#/submission/12',
];

let browser: Browser;
let example: string;
let prose: string;
before(async () => {
  example = exampleReport();
  prose = written(essays());
  browser = await launch();
});
after(() => browser?.close());

function written(report: Report): string {
  const folder = temporary('german');
  writeReport(folder, report);
  return folder;
}
async function show(page: Page, folder: string, hash: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(folder, hash));
  await page.waitForSelector('main h1');
  await painted(page);
}
const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

describe('a German browser', () => {
  for (const of of ['the example', 'essays'])
    it(`reads no English in a report of ${of}`, async () => {
      const folder = of === 'essays' ? prose : example;
      const { page, context, complaints } = await watch(browser, folder, { locale: 'de-AT' });
      const found: string[] = [];
      for (const hash of VIEWS) {
        await show(page, folder, hash);
        if (/pair\/[14]\b|submission\/1\?/.test(hash))
          await page.waitForSelector('.box .row .text span, .message');
        assert.equal(await languageOf(page), 'de');
        found.push(...(await leftover(page, 'de')).map((text) => `${hash} ${text}`));
      }
      await context.close();
      assert.deepEqual(found, []);
      assert.deepEqual(complaints, []);
    });

  it('is told numbers, plurals, times and guarantees in German', async () => {
    const { page, context } = await watch(browser, example, { locale: 'de' });
    await show(page, example, '#/pairs?t=0');
    assert.equal(await page.locator('main h1').innerText(), 'Paare');
    assert.match(await page.locator('td .score b').first().innerText(), /^0,\d\d$|^1,00$/);
    await show(page, example, '#/');
    const guarantees = (await page.locator('.promises').innerText()).replace(/\s+/g, ' ');
    assert.match(guarantees, /eine gemeinsame Stelle von \d+ Token Code oder mehr wird immer gefunden/);
    await show(page, example, '#/pair/1');
    await page.getByRole('button', { name: german.say('fold') }).waitFor();
    const head = await page.locator('header.head').innerText();
    assert.match(head, /Wert/);
    assert.match(head, /\d+\. \p{L}+\.? \d{4}, \d\d:\d\d/u);
    await context.close();
  });

  it('keeps marks that an English one reads back, and saves pages in German', async () => {
    const folder = written(classroom());
    const { page, context } = await watch(browser, folder, { locale: 'de' });
    await show(page, folder, '#/pair/1');
    await page.keyboard.press('c');
    const select = page.getByLabel(german.say('mark-on-pair', { n: '1' }));
    assert.equal(await select.inputValue(), 'copied');
    assert.match(await select.innerText(), /● Kopiert/);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: german.say('save-page') }).click();
    const html = readFileSync((await (await saved).path())!, 'utf8');
    assert.match(html, /<html lang="de">/);
    assert.match(html, /Vermerk bei der Prüfung: <b>kopiert<\/b>/);
    await show(page, folder, '#/pairs?t=0&q=mark:copied');
    assert.equal(await page.locator('tr.row').count(), 1);
    await context.close();
  });
});

describe('the language', () => {
  const setTo = (language: string): string => {
    const report = classroom();
    report.overview.page_language = language;
    return written(report);
  };

  it('is the one that the report sets, whatever the browser asks for', async () => {
    const folder = setTo('de');
    const { page, context } = await watch(browser, folder);
    await show(page, folder, '#/submissions');
    assert.equal(await page.locator('main h1').innerText(), 'Abgaben');
    assert.equal(await languageOf(page), 'de');
    await context.close();
  });

  it('is English where there are no words for the one that is set or asked for', async () => {
    const folder = setTo('xx');
    const { page, context } = await watch(browser, folder, { locale: 'fi' });
    await show(page, folder, '#/submissions');
    assert.equal(await page.locator('main h1').innerText(), 'Submissions');
    await context.close();
  });

  it('is changed by a button, at once, and stays what the reader has chosen', async () => {
    const folder = setTo('de');
    const { page, context } = await watch(browser, folder, { locale: 'de' });
    await show(page, folder, '#/pair/1');
    const english = page.getByRole('button', { name: wordsOf('en').say('switch-language') });
    assert.equal(await english.getAttribute('lang'), 'en');
    await english.click();
    assert.equal(await languageOf(page), 'en');
    await page.getByRole('button', { name: 'Fold what does not match' }).waitFor();
    assert.match(await page.title(), /Fanmill report$/);
    assert.deepEqual(await leftover(page, 'en'), []);
    await show(page, folder, '#/');
    await page.getByRole('heading', { name: 'Distribution of scores' }).waitFor();
    await page.getByRole('button', { name: german.say('switch-language') }).click();
    await page.getByRole('heading', { name: 'Verteilung der Werte' }).waitFor();
    await context.close();
  });

  it('of the report about one person is that of the page, and may be another', async () => {
    const folder = setTo('de');
    const { page, context } = await watch(browser, folder);
    await show(page, folder, '#/submission/1?t=0');
    await page.getByRole('button', { name: german.say('student-open') }).click();
    const choice = page.locator('dialog select');
    assert.equal(await choice.inputValue(), 'de');
    for (const [tag, heading] of [
      ['de', 'Kurz gefasst'],
      ['en', 'In short'],
    ] as const) {
      await choice.selectOption(tag);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: german.say('student-save') }).click();
      const html = readFileSync((await (await saved).path())!, 'utf8');
      assert.ok(html.includes(`<html lang="${tag}">`) && html.includes(heading), tag);
      if (tag === 'de') await page.getByRole('button', { name: german.say('student-open') }).click();
    }
    assert.equal(await languageOf(page), 'de');
    await context.close();
  });
});
