// Marks, notes and evidence of a batch as one zip and as tables, taken to another browser.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { parseCsv } from '../../src/logic/csv.ts';
import { address, launch, watch } from '../browser.ts';
import { folderOf } from '../classroom.ts';
import { LINES, paperReport, PASSAGES, textOf } from '../paper.ts';
import { temporary, writeReport } from '../write.ts';

const FORMULA = '=HYPERLINK("http://x.invalid","see")';
let browser: Browser;
let folder: string;
let first: Awaited<ReturnType<typeof watch>>;
before(async () => {
  const report = paperReport();
  // A path that a spreadsheet would run.
  report.overview.submissions[0]!.files[0]!.path = '+cmd.java';
  folder = temporary('batch');
  writeReport(folder, report);
  browser = await launch();
  first = await watch(browser, folder);
});
after(() => browser?.close());

async function pairs(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(folder, '#/pairs?t=0'));
  await page.waitForSelector('tr.row');
}

async function saved(page: Page, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: new Uint8Array(readFileSync(await download.path())) };
}

/** Gives the page a file of marks, and returns what it says. */
async function imported(page: Page, name: string, buffer: Uint8Array): Promise<string> {
  await page
    .getByLabel('Import marks and notes')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(buffer) });
  const status = page.getByRole('status', { name: 'Import' });
  await status.filter({ hasText: /\S/ }).waitFor();
  return status.innerText();
}

describe('a batch', () => {
  let zip: Uint8Array;

  it('has nothing to save as long as nothing is marked', async () => {
    await pairs(first.page);
    for (const name of ['All as one zip', 'Export evidence'])
      assert.ok(await first.page.getByRole('button', { name }).isDisabled());
  });

  it('is saved as one zip, with marks, notes, every passage, texts and hashes', async () => {
    const { page } = first;
    await page.getByLabel('Your mark on pair 1', { exact: true }).selectOption('copied');
    await page.goto(address(folder, '#/pair/1'));
    await page.getByLabel('Your note on this pair').fill(FORMULA);
    await page.goto(address(folder, '#/submission/22?t=0'));
    await page.getByLabel('Your mark on this submission').selectOption('innocent');
    await pairs(page);
    const { name, bytes } = await saved(page, 'All as one zip');
    assert.equal(name, 'marks-notes-evidence.zip');
    zip = bytes;
    const files = unzipSync(bytes);
    const text = (name: string) => strFromU8(files[name]!);
    const review = parseCsv(text('review.csv'));
    assert.deepEqual(review[1]!.slice(0, 3), ['1', folderOf(0), folderOf(1)]);
    assert.ok(review[1]!.includes(`'${FORMULA}`) && review[1]!.includes('copied'));
    const [head, ...rows] = parseCsv(text('evidence.csv'));
    assert.ok(rows.every((row) => row.length === head!.length));
    const own = rows.filter(([rank]) => rank === '1');
    assert.equal(own.length, PASSAGES);
    assert.equal(own[0]![head!.indexOf('file_a')], "'+cmd.java");
    assert.ok(rows.length > PASSAGES);
    const evidence = text('evidence.html');
    for (let n = 1; n <= LINES; n++)
      if (/combine/.test(textOf(0).split('\n')[n - 1]!)) assert.ok(evidence.includes(`<s>${n}</s>`), `${n}`);
    assert.ok(Object.keys(files).some((name) => /^texts\/[0-9a-f]{8}-1_/.test(name)));
    const sums = text('SHA256SUMS').trim().split('\n');
    assert.equal(sums.length, Object.keys(files).length - 1);
    for (const line of sums) {
      const [sum, name] = line.split('  ') as [string, string];
      assert.equal(createHash('sha256').update(files[name]!).digest('hex'), sum, name);
    }
  });

  it('is saved as tables too', async () => {
    const { name, bytes } = await saved(first.page, 'Export evidence');
    assert.equal(name, 'evidence.csv');
    assert.deepEqual(bytes, unzipSync(zip)['evidence.csv']);
    const review = await saved(first.page, 'Export marks and notes');
    assert.deepEqual(review.bytes, unzipSync(zip)['review.csv']);
  });

  it('is taken over by another browser from the zip', async () => {
    const second = await watch(browser, folder);
    const { page } = second;
    await pairs(page);
    assert.equal(await imported(page, 'marks.zip', zip), '2 marks and notes imported.');
    assert.equal(await page.getByLabel('Your mark on pair 1', { exact: true }).inputValue(), 'copied');
    await page.goto(address(folder, '#/pair/1'));
    assert.equal(await page.getByLabel('Your note on this pair').inputValue(), FORMULA);
    await page.goto(address(folder, '#/submission/22?t=0'));
    assert.equal(await page.getByLabel('Your mark on this submission').inputValue(), 'innocent');
    assert.deepEqual(second.complaints, []);
    await second.context.close();
  });

  for (const [what, bytes, answer] of [
    ['a zip without marks', zipSync({ 'other.csv': strToU8('a,b,mark\n') }), /holds no review\.csv/],
    ['half a zip', zipSync({ 'review.csv': strToU8('a,b,mark\n'.repeat(99)) }).slice(0, 60), /damaged/],
    ['no table', strToU8('nothing at all'), /not a file of marks/],
  ] as const)
    it(`says what is wrong with ${what}`, async () => {
      const third = await watch(browser, folder);
      await pairs(third.page);
      assert.match(await imported(third.page, 'x.zip', bytes), answer);
      assert.deepEqual(third.complaints, []);
      await third.context.close();
    });
});
