// A submission's own view: where it opens, and what is set aside on it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, shownAddress, until, watch } from '../browser.ts';
import { classroom } from '../classroom.ts';
import { essays } from '../essays.ts';
import { searched } from '../searched.ts';
import { wordTokens } from '../tokens.ts';
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

  const shared = async () => /^(\S+)\s%/u.exec(await page.locator('aside p').first().innerText())![1]!;

  it('counts the shares again without a source that is set aside', async () => {
    const folder = temporary('aside');
    writeReport(folder, classroom(50));
    ({ page } = await watch(browser, folder, { width: 1440, height: 900 }));
    await page.goto(address(folder, '#/submission/1?t=0'));
    await page.waitForSelector('.depth');
    const before = await shared();
    assert.ok(Number(before) > 0);
    // All twenty have the same lines, so nothing is left without one of them.
    const button = page.getByRole('button', { name: 'Set aside' }).first();
    await button.click();
    await page.waitForURL(/without=1$/);
    assert.equal(await shared(), '0');
    assert.equal(await page.locator('.depth').count(), 0);
    assert.match(await page.locator('aside li').last().innerText(), /^(.|\n)*\b0\s% of it found there/u);
    assert.match(await page.locator('aside ol li').first().innerText(), /set aside/);
    await page.reload();
    await page.waitForSelector('.given');
    assert.equal(await shared(), '0');
    await button.click();
    await page.waitForSelector('.depth');
    assert.equal(await shared(), before);
    assert.doesNotMatch(await shownAddress(page), /without/);
  });

  it('counts the shares again without the bibliography, in the report about the person too', async () => {
    const report = essays();
    // The second passage becomes the bibliography: its paragraph stands below a heading.
    const [, second] = report.pairs.get(0)!.passages;
    const { a } = second!.matches[0]!;
    const known = report.texts.get('0-0')!.text!;
    const heading = '\nReferences\n';
    const start = known.lastIndexOf('\n\n', a.start) + 2;
    const text = known.slice(0, start - heading.length) + heading + known.slice(start);
    report.texts.set('0-0', { text, cut: 0, grey: [], tokens: wordTokens(text) });
    const folder = temporary('bibliography');
    writeReport(folder, report);
    ({ page } = await watch(browser, folder, { width: 1440, height: 900 }));
    await page.goto(address(folder, '#/submission/1?t=0'));
    await page.waitForSelector('.depth');
    const before = Number(await shared());
    await page.getByRole('button', { name: 'Set the bibliography aside' }).click();
    await page.waitForURL(/aside=bibliography/);
    const after = Number(await shared());
    assert.ok(after > 0 && after < before, `${before} → ${after}`);
    assert.ok(
      (await page.locator('aside li').last().innerText()).includes(`${after}\u202f% of it found there`),
    );
    await page.getByRole('button', { name: 'Report about this submission…' }).click();
    await page.getByLabel('Language').selectOption('en');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the report' }).click(),
    ]);
    const html = readFileSync(await saved.path(), 'utf8');
    assert.match(html, /The bibliography, set aside for this report: \d+ words\./);
    assert.ok(html.includes(`${after}\u202f% of it was also found in 1 other submission.`));
    await page.getByRole('button', { name: 'Set the bibliography aside' }).click();
    assert.equal(Number(await shared()), before);
  });
});

describe('a text that was searched for in libraries', () => {
  it('lists its sources in their order, with title, address, licence and date', async () => {
    const folder = temporary('searched');
    writeReport(folder, searched());
    const watched = await watch(browser, folder, { width: 1440, height: 900 });
    ({ page } = watched);
    await page.goto(address(folder, '#/submission/1'));
    await page.waitForSelector('aside ol li');
    const sources = page.locator('aside > ol > li');
    assert.equal(await sources.count(), 3, 'mirrors are no sources of their own, and a low score hides none');
    const first = await sources.nth(0).innerText();
    for (const fact of ['Lantern', 'https://wiki.example/Lantern', 'CC BY-SA 4.0', '2026-03-01'])
      assert.ok(first.includes(fact), first);
    assert.equal(
      await sources.nth(0).locator('a[rel]').first().getAttribute('href'),
      'https://wiki.example/Lantern',
    );
    await sources.nth(0).locator('summary').click();
    assert.match(await sources.nth(0).locator('details').innerText(), /Lantern \(mirror\)[^]*Lantern 2019/);
    assert.match(await sources.nth(1).innerText(), /all of it in those above/);
    // An address that is none of the web is no link.
    assert.match(await sources.nth(2).innerText(), /javascript:alert\(1\)/);
    assert.equal(await sources.nth(2).locator('a[rel]').count(), 0);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.dialogs, []);
  });

  it('shows the text of a source beside it', async () => {
    await page.locator('aside > ol > li').first().getByRole('button', { name: 'Show only' }).click();
    await page.waitForURL(/with=1/);
    await page.locator('.box .match').first().click();
    await page.waitForURL(/#\/pair\//);
    assert.match(await page.locator('body').innerText(), /Lantern/);
  });
});
