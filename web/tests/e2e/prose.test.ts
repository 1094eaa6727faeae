// A pair of essays: set as prose, with the same words marked that the report marks.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, painted, until, watch, type Watched } from '../browser.ts';
import { ESSAY_A, ESSAY_B, essays, SHARED } from '../essays.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
let watched: Watched;
let page: Page;
let folder: string;
const UNREAD = '78 % of the letters on pages 3 to 40 have no known character: not compared';
before(async () => {
  folder = temporary('essays');
  const report = essays();
  const [first, second] = report.overview.submissions.map(({ name }) => name) as [string, string];
  const notice = { role: 'new', path: 'essay.pdf', outcome: 'degraded', reason: UNREAD } as const;
  report.overview.notices = [
    { ...notice, submission: second },
    { ...notice, submission: first, outcome: 'flagged', reason: 'it has macros, which are not read' },
    { ...notice, submission: 'somebody else', reason: 'damaged' },
  ];
  writeReport(folder, report);
  browser = await launch();
  watched = await watch(browser, folder, { height: 3000 });
  page = watched.page;
});
after(() => browser.close());

async function open(): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(folder, '#/pair/1?t=0'));
  await page.waitForSelector('.match');
  await painted(page);
}
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
const box = (side: 0 | 1) => page.locator('.box').nth(side);
const press = (name: string) => page.getByRole('button', { name }).click();
/** What is marked of each passage on a side, with one blank for any. */
async function marked(side: 0 | 1): Promise<string[]> {
  const parts = await box(side)
    .locator('.match')
    .evaluateAll((spans) => spans.map((span) => [span.getAttribute('data-passage')!, span.textContent!]));
  return ['0', '1'].map((passage) =>
    flat(parts.map(([own, text]) => (own === passage ? text : '')).join('')),
  );
}
const rows = (side: 0 | 1) =>
  box(side)
    .locator('.text')
    .evaluateAll((rows) =>
      rows
        .map((row) => ({
          text: row.textContent!,
          face: getComputedStyle(row).fontFamily,
          over: row.scrollWidth - row.clientWidth,
          place: Number(
            /\((?:0px, )?([\d.]+)px/.exec((row.parentElement as HTMLElement).style.transform)?.[1],
          ),
        }))
        .sort((x, y) => x.place - y.place),
    );

describe('a pair of essays', () => {
  it('says beside the score what was not read of either', async () => {
    await open();
    const said = await page.locator('header.head p.other').allTextContents();
    assert.deepEqual(said, [`Not all of B was read: ${UNREAD}`]);
  });
  it('is set in a proportional face, in whole words, without colours of code', async () => {
    await open();
    for (const [side, text] of [
      [0, ESSAY_A],
      [1, ESSAY_B],
    ] as const) {
      const words = new Set(text.split(/\s+/));
      const seen = await rows(side);
      assert.ok(seen.length > 20);
      assert.equal(
        flat(seen.map(({ text }) => text).join('\n')).replaceAll('- ', '-'),
        flat(text).replaceAll('- ', '-'),
      );
      for (const { text, face, over } of seen) {
        assert.match(face, /^system-ui/);
        assert.ok(over <= 0, `${text}: ${over} px too wide`);
        for (const word of text.split(/\s+/).filter(Boolean)) assert.ok(words.has(word), word);
      }
    }
    assert.equal(await page.locator('.t-number, .t-keyword, .t-string').count(), 0);
    assert.deepEqual(await page.locator('.pane .file .soft').allInnerTexts(), ['prose', 'prose']);
  });

  it('marks exactly what the report marks', async () => {
    await open();
    assert.deepEqual(await marked(0), SHARED);
    assert.deepEqual(await marked(1), SHARED);
    await press('Join lines into paragraphs');
    // Between two lines there is no character then.
    const dense = (texts: string[]) => texts.map((text) => text.replaceAll(' ', ''));
    assert.deepEqual(dense(await marked(0)), dense(SHARED));
    await press('Join lines into paragraphs');
  });

  it('shows the lines as they are in the file when asked to, and remembers it', async () => {
    await open();
    assert.equal(await page.getByRole('button', { name: 'Break long lines' }).count(), 0);
    const flowed = (await rows(0)).length;
    await press('Join lines into paragraphs');
    await until(page, async () => (await rows(0)).length !== flowed);
    await page.reload();
    await page.waitForSelector('.match');
    const button = page.getByRole('button', { name: 'Join lines into paragraphs' });
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    const lines = (await rows(0)).map(({ text }) => text).filter(Boolean);
    for (const line of ESSAY_A.split('\n').filter((line) => line && line.length < 50))
      assert.ok(lines.includes(line), line);
    assert.match((await rows(0))[0]!.face, /mono/i);
    await page.getByRole('button', { name: 'Break long lines' }).click();
    await page.reload();
    await page.waitForSelector('.match');
    const wrap = page.getByRole('button', { name: 'Break long lines' });
    assert.equal(await wrap.getAttribute('aria-pressed'), 'false');
    await wrap.click();
    await button.click();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
  });

  it('folds whole paragraphs', async () => {
    await open();
    await press('Fold what does not match');
    await page.locator('.fold').first().waitFor();
    const left = flat((await rows(1)).map(({ text }) => text).join('\n'));
    assert.ok(left.length < ESSAY_B.length * 0.6);
    assert.ok(left.startsWith('Sentence') && left.endsWith('know.'), left);
    await press('Fold what does not match');
  });

  it('is counted in words, on every view', async () => {
    for (const hash of ['#/', '#/pairs?t=0', '#/pair/1?t=0', '#/submission/1?t=0', '#/clusters?t=0']) {
      await page.goto('about:blank');
      await page.goto(address(folder, hash));
      await page.waitForSelector('main h1');
      if (/pair\/|submission\//.test(hash)) await page.waitForSelector('.box .row .text span');
      const said = (await page.locator('main').innerText()).replace(/.*scheme.*/g, '');
      assert.ok(!/tokens?\b/.test(said), `${hash}: ${/.*tokens?\b.*/.exec(said)?.[0]}`);
    }
    await page.goto('about:blank');
    await page.goto(address(folder, '#/pair/1?t=0'));
    await page.getByText('longest passage, words').waitFor();
  });

  it('prints the passages in whole sentences', async () => {
    await open();
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const printed = (await page.locator('.paper .row.prose .text').allInnerTexts()).map(flat);
    assert.equal(printed.length, 4);
    printed.forEach((text, i) => {
      assert.ok(text.includes(SHARED[i >> 1]!), text);
      assert.match(text, /^Sentence number .* neighbours know\.$/);
    });
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  });

  it('complains of nothing and asks for nothing outside its folder', () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.strays, []);
  });
});
