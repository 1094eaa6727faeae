// A report behind a server: its data is fetched, and its reviewers' marks are kept there.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launch } from '../browser.ts';
import { classroom, folderOf } from '../classroom.ts';
import { Marking, TOKEN } from '../serve.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
let folder: string;
let server: Marking;
let contexts: BrowserContext[] = [];
before(async () => {
  folder = temporary('served');
  writeReport(folder, classroom());
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  await server?.stop();
  server = await Marking.start(folder);
});
after(() => server.stop());

/** A reviewer's own browser, with the list of pairs open, and what it complains of. */
async function reviewer(name: string): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1400, height: 900 },
    locale: 'en',
  });
  await context.addInitScript('globalThis.__name = (named) => named');
  contexts.push(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${server.address}?as=${encodeURIComponent(name)}#/pairs?t=0`);
  await page.locator('tr.row').first().waitFor();
  return { page, complaints };
}

const row = (page: Page, i: number) => page.locator(`tr[data-row="${i}"]`);
async function mark(page: Page, i: number, key: string): Promise<void> {
  await row(page, i).focus();
  await page.keyboard.press(key);
}
/** Waits for something that the server sees. */
async function once(isSo: () => boolean, about: () => string): Promise<void> {
  for (let i = 0; !isSo(); i++) {
    if (i === 2000) assert.fail(about());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
/** Waits until these are the latest requests for marks, and forgets them. */
async function asked(...wanted: string[]): Promise<void> {
  const latest = () => server.asked.slice(-wanted.length).join();
  await once(
    () => latest() === wanted.join(),
    () => `${wanted.join()} is not the end of ${server.asked.join()}`,
  );
  server.asked.length = 0;
}
const said = () =>
  server.marks
    .map(({ reviewer, submissions, mark, note }) =>
      [reviewer, ...submissions.map(({ name }) => name), mark, note].filter(Boolean).join(' '),
    )
    .sort();
/** Waits until exactly this is kept, by reviewer, pair and word; all on the first pair. */
async function keeps(...wanted: string[]): Promise<void> {
  const pair = `${folderOf(0)} ${folderOf(1)}`;
  const all = wanted.map((one) => one.replace(' ', ` ${pair} `)).join('\n');
  await once(
    () => said().join('\n') === all,
    () => `${said().join('\n')}\nis not\n${all}`,
  );
}
const look = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));

describe('a report behind a server', () => {
  it('fetches its data, and inserts no script', async () => {
    const { page, complaints } = await reviewer('Ann');
    await row(page, 0).locator('.longest').click();
    await page.waitForSelector('.match');
    assert.deepEqual(
      server.got.filter((path) => path.startsWith('data/')).sort(),
      ['overview', 'pairs/0001', 'texts/0-0', 'texts/0-1', 'texts/1-0', 'texts/1-1'].map(
        (name) => `data/${name}.js`,
      ),
    );
    assert.equal(await page.evaluate(() => 'fanmill' in window), false);
    assert.deepEqual(
      complaints.filter((text) => !text.includes('404')),
      [],
    );
  });

  it('says why a part of it cannot be shown', async () => {
    const { page } = await reviewer('Ann');
    for (const [status, words] of [
      [401, /did not let you have data\/pairs\/0001\.js.*Sign in again/],
      [404, /data\/pairs\/0001\.js is missing/],
      [502, /did not answer.*data\/pairs\/0001\.js/],
    ] as const) {
      server.refusing.set('data/pairs/0001.js', status);
      await row(page, 0).locator('.longest').click();
      const message = page.locator('.message');
      await message.waitFor();
      assert.match((await message.innerText()).replace(/\s+/g, ' '), words);
      await page.goBack();
      await row(page, 0).waitFor();
    }
    server.refusing.clear();
    await row(page, 0).locator('.longest').click();
    await page.waitForSelector('.match');
  });
});

describe('marks on a server', () => {
  it('are seen in another browser, with whose they are', async () => {
    const { page: ann } = await reviewer('Ann');
    assert.equal(await ann.getByLabel('Your name').count(), 0);
    await ann.getByText('You review as Ann').waitFor();
    await mark(ann, 0, 'c');
    await asked('GET 404', 'PUT 204');
    await keeps('Ann copied');
    assert.deepEqual(server.tokens, [TOKEN]);
    const { page: bea } = await reviewer('Béa');
    await row(bea, 0).getByText('Ann: copied').waitFor();
    await mark(bea, 0, 'i');
    await asked('GET 200', 'PUT 204');
    // Ann's page looks when she returns to it; and her own browser elsewhere has her own marks.
    await look(ann);
    await row(ann, 0).getByText('Béa: innocent').waitFor();
    assert.equal(await row(ann, 0).locator('select').inputValue(), 'copied');
    const { page: home } = await reviewer('Ann');
    await row(home, 0).getByText('Béa: innocent').waitFor();
    assert.equal(await row(home, 0).locator('select').inputValue(), 'copied');
    // Nothing of it is in this browser's storage.
    assert.equal(await ann.evaluate(() => Object.keys(localStorage).join()), '');
  });

  it('of two who mark at once are all kept, and what was taken back stays away', async () => {
    const [{ page: ann }, { page: bea }] = [await reviewer('Ann'), await reviewer('Bea')];
    await mark(ann, 0, 'c');
    await mark(ann, 1, 'u');
    await once(
      () => said().length === 2,
      () => said().join(),
    );
    server.asked.length = 0;
    // Bea's page does not know of that: her first list is refused, and her second has both.
    await mark(bea, 0, 'i');
    await asked('PUT 412', 'GET 200', 'PUT 204');
    await row(bea, 1).getByText('Ann: unsure').waitFor();
    // Nor does Ann's of Bea's, while she takes one of hers back.
    await mark(ann, 1, 'x');
    await asked('PUT 412', 'GET 200', 'PUT 204');
    await keeps('Ann copied', 'Bea innocent');
    await row(ann, 0).getByText('Bea: innocent').waitFor();
  });

  it('survive a list that is replaced again and again while it is sent', async () => {
    const { page } = await reviewer('Ann');
    const pair = [0, 1].map((i) => ({ role: 'new', name: folderOf(i) }));
    const bea = { reviewer: 'Bea', submissions: pair, mark: 'unsure', note: '' };
    server.before = () => {
      server.replace([bea]);
      server.before = () => server.replace([{ ...bea, note: 'see line 21' }, 'no mark', { mark: 'copied' }]);
    };
    await mark(page, 0, 'c');
    await asked('PUT 412', 'GET 200', 'PUT 412', 'GET 200', 'PUT 204');
    await keeps('Ann copied', 'Bea unsure see line 21');
  });

  it('are sent as a whole note, not letter by letter', async () => {
    const { page } = await reviewer('Ann');
    await row(page, 0).locator('.longest').click();
    await page.waitForSelector('.match');
    await page.getByRole('textbox', { name: /note/ }).pressSequentially('the same misspelling');
    await asked('PUT 204');
    assert.ok(server.asked.filter((one) => one.startsWith('PUT')).length < 5, server.asked.join());
    await keeps('Ann the same misspelling');
  });

  it('that cannot be saved are said so, and saved when they can', async () => {
    const { page } = await reviewer('Ann');
    const alert = page.getByRole('alert');
    for (const [status, words] of [
      [403, /not saved: the server does not let you/],
      [503, /not saved: the server does not answer/],
      [413, /not saved: the server answers with status 413/],
    ] as const) {
      server.refusing.set('marks', status);
      await mark(page, 0, status === 403 ? 'c' : 'u');
      await look(page);
      await alert.filter({ hasText: words }).waitFor();
    }
    // The list is not what it should be: it is not replaced.
    server.text = '<html>';
    server.version = 9;
    server.refusing.clear();
    await look(page);
    await alert.filter({ hasText: 'the server sends something else' }).waitFor();
    assert.equal(server.text, '<html>');
    server.replace([]);
    await look(page);
    await keeps('Ann unsure');
    await alert.filter({ hasText: 'not saved' }).waitFor({ state: 'detached' });
  });
});
