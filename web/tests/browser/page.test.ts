// The page that compares in the browser, opened from disk, without a network.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { unzipSync, zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { violations } from '../axe.ts';
import { launch, painted, watch, type Look, type Watched } from '../browser.ts';
import { ROOT, temporary } from '../write.ts';
import { BUILT, byCommand, filesBelow, missing } from './module.ts';

const ASSIGNMENT = join(ROOT, 'examples/assignment');
const ADDRESS = `file://${BUILT}/fanmill.html`;

let browser: Browser;
let given: string;
let opened: Watched[] = [];

before(async () => {
  given = temporary('given');
  for (const name of ['submissions', 'handout', 'last-year'])
    writeFileSync(
      join(given, `${name}.zip`),
      zipSync(Object.fromEntries(filesBelow(join(ASSIGNMENT, name)))),
    );
  const whole = readFileSync(join(given, 'submissions.zip'));
  writeFileSync(join(given, 'damaged.zip'), whole.subarray(0, (2 * whole.length) / 3));
  browser = await launch();
});
after(() => browser.close());
afterEach(async () => {
  for (const { context, complaints, strays } of opened.splice(0)) {
    await context.close();
    assert.deepEqual(complaints, []);
    assert.deepEqual(strays, [], 'nothing is asked for but the page and its worker');
  }
});

/** The page, without a network. */
async function open(look: Look = {}): Promise<Page> {
  const watched = await watch(browser, BUILT, look);
  opened.push(watched);
  await watched.context.setOffline(true);
  await watched.page.goto(ADDRESS);
  await watched.page.waitForSelector('main h1');
  return watched.page;
}

const box = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true });
const compare = (page: Page) => page.getByRole('button', { name: 'Compare', exact: true });
const made = (page: Page) => page.getByRole('region', { name: 'Keeping this report' });

/** Drops files from disk on a box, as a file manager does. */
async function drop(page: Page, label: string, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { x, y } = (await box(page, label).boundingBox())!;
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', {
      type,
      x: x + 9,
      y: y + 9,
      data: { items: [], files: paths, dragOperationsMask: 1 },
    });
  await box(page, label)
    .getByText(/^\d+ files?, /)
    .waitFor();
  await session.detach();
}

const choose = (page: Page, label: string, paths: string[]) =>
  box(page, label).locator('input:not([webkitdirectory])').setInputFiles(paths);

async function saved(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFileSync(await download.path());
}

describe('the page that compares in the browser', { skip: missing('fanmill.html') }, () => {
  it('compares two zips that are dropped into it, as the command does', async () => {
    const page = await open();
    await drop(page, 'Submissions', [join(given, 'submissions.zip')]);
    await drop(page, 'Boilerplate', [join(given, 'handout.zip')]);
    await compare(page).click();
    await made(page).waitFor();
    assert.equal(await page.locator('main h1').innerText(), '13 submissions compared');
    const best = await page.locator('main a', { hasText: /^(hana|ivo|ada)$/ }).allInnerTexts();
    assert.deepEqual(best.slice(0, 2), ['hana', 'ivo']);
    const expected = byCommand(given, ['submissions.zip', '--base', 'handout.zip']);
    assert.ok((await saved(page, 'Save as JSON')).equals(expected.get('report.json')!));
    const found = unzipSync(await saved(page, 'Save the report'));
    assert.deepEqual(Object.keys(found).sort(), [...expected.keys()].map((name) => `report/${name}`).sort());
    for (const [name, bytes] of expected)
      assert.ok(Buffer.from(found[`report/${name}`]!).equals(bytes), `${name} differs from the command's`);
    await page.getByText('Saved.').waitFor();
    // The texts of a pair are there, side by side.
    await page.getByRole('link', { name: 'hana' }).first().click();
    await page.locator('main').getByText('def ', { exact: false }).first().waitFor();
  });

  it('compares folders with earlier work, and keeps the choice for another run', async () => {
    const page = await open();
    const folder = (label: string, name: string) =>
      box(page, label).locator('input[webkitdirectory]').setInputFiles(join(ASSIGNMENT, name));
    await folder('Submissions', 'submissions');
    await folder('Boilerplate', 'handout');
    await folder('Earlier work', 'last-year');
    await page.getByText('Settings', { exact: false }).first().click();
    await page.getByLabel('Pseudonyms in the report').check();
    await page.getByLabel('Title').fill('Stock-keeping');
    await compare(page).click();
    await made(page).waitFor();
    const args = [
      'submissions',
      '--base',
      'handout',
      '--archive',
      'last-year',
      '--anonymous',
      '--title',
      'Stock-keeping',
    ];
    assert.ok((await saved(page, 'Save as JSON')).equals(byCommand(ASSIGNMENT, args).get('report.json')!));
    const { context } = opened.at(-1)!;
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Compare other files' }).click();
    await box(page, 'Submissions').getByText('submissions', { exact: false }).first().waitFor();
    assert.equal(await page.getByText('3 other than usual').count(), 0);
    await page.getByText('1 other than usual').waitFor();
    assert.equal(context.pages().length, 1);
  });

  it('takes a folder that is dropped, with its paths', async () => {
    const page = await open();
    await drop(page, 'Submissions', [join(ASSIGNMENT, 'submissions')]);
    await compare(page).click();
    await made(page).waitFor();
    const expected = byCommand(ASSIGNMENT, ['submissions']).get('report.json')!;
    assert.ok((await saved(page, 'Save as JSON')).equals(expected));
  });

  it('says what is damaged, and compares the rest', async () => {
    const page = await open();
    await choose(page, 'Submissions', [join(given, 'damaged.zip')]);
    await compare(page).click();
    await made(page).waitFor();
    assert.match(await page.locator('main').innerText(), /cut off or damaged/);
  });

  it('says what is missing or makes no sense, and stays alive', async () => {
    const page = await open();
    await compare(page).click();
    await page.getByRole('alert').getByText('Choose the submissions first').waitFor();
    await choose(page, 'Submissions', [join(given, 'submissions.zip')]);
    await page.getByText('Settings', { exact: false }).first().click();
    await page.getByLabel('Shortest match (noise)').fill('20');
    await page.getByLabel('Always found (guarantee)').fill('10');
    await compare(page).click();
    await page.getByRole('alert').getByText('“Shortest match”').waitFor();
    await page.getByLabel('Always found (guarantee)').fill('30');
    await compare(page).click();
    await made(page).waitFor();
  });

  it('can be cancelled, by the keyboard too, and used again', async () => {
    const page = await open();
    // Half a minute of work: texts of which each has some of the others' words.
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('input[type=file]:not([webkitdirectory])')!;
      const data = new DataTransfer();
      for (let file = 0; file < 60; file++) {
        let seed = file + 1;
        const word = () => (seed = (seed * 48271) % 2147483647) % 4000;
        const text = Array.from({ length: 40_000 }, () => `w${word()}`).join(' ');
        data.items.add(new File([text], `text-${file}.txt`));
      }
      input.files = data.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await compare(page).focus();
    await page.keyboard.press('Enter');
    await page.locator('progress').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Cancelled.').waitFor();
    assert.equal(await page.locator('progress').count(), 0);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await choose(page, 'Submissions', [join(given, 'submissions.zip')]);
    await compare(page).click();
    await made(page).waitFor();
  });

  it('may not ask for anything, and has nothing that would', async () => {
    const page = await open();
    const asked = await page.evaluate(() => fetch('https://example.org/').then(() => 'an answer', String));
    assert.match(asked, /Failed to fetch/);
    const { complaints } = opened.at(-1)!;
    assert.match(complaints.splice(0).join(' '), /violates .*"connect-src 'none'"/);
    const html = readFileSync(join(BUILT, 'fanmill.html'), 'utf8');
    for (const name of [
      'fetch(',
      'XMLHttpRequest',
      'WebSocket',
      'sendBeacon',
      'EventSource',
      'RTCPeer',
      'eval(',
    ])
      assert.ok(!html.includes(name), name);
    assert.equal((html.match(/<link|src="/g) ?? []).length, 1, 'its icon, which is in it');
    assert.ok(existsSync(join(BUILT, 'fanmill.wasm')));
  });

  for (const [size, width, height] of [
    ['desk', 1400, 900],
    ['phone', 390, 844],
  ] as const) {
    it(`has no faults that axe-core finds at ${size} width`, async () => {
      const page = await open({ width, height });
      const faults = [...(await axeFaults(page, 'choose'))];
      await page.getByText('Settings', { exact: false }).first().click();
      await compare(page).click();
      faults.push(...(await axeFaults(page, 'refused')));
      await choose(page, 'Submissions', [join(given, 'submissions.zip')]);
      await choose(page, 'Boilerplate', [join(given, 'handout.zip')]);
      faults.push(...(await axeFaults(page, 'chosen')));
      await compare(page).click();
      await made(page).waitFor();
      faults.push(...(await axeFaults(page, 'made')));
      assert.deepEqual(faults, []);
    });
  }
});

/** Violations, and whether the page is wider than its window. */
async function axeFaults(page: Page, name: string): Promise<string[]> {
  await painted(page);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [
    ...(await violations(page)).map((one) => `${name} ${one}`),
    ...(isWide ? [`${name} is wider than the window`] : []),
  ];
}
