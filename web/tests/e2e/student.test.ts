// The report about one person: what it says, in which language, whose names it hides, and how it prints.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { violations } from '../axe.ts';
import { address, launch, watch } from '../browser.ts';
import { classroom, folderOf, personOf } from '../classroom.ts';
import { essays } from '../essays.ts';
import {
  dense,
  lightness,
  nameOf,
  needPoppler,
  overprinted,
  pagesOf,
  PAPERS,
  printed,
  textOf,
  wordsOf as boxesOf,
} from '../pdf.ts';
import { filesOf, wordsOf } from '../words.ts';
import { temporary, writeReport, type Report } from '../write.ts';

needPoppler();
const wording = (language: string) => filesOf(language).get('student') as Record<string, string>;

/** Replaces the beginning of a line, keeping its length. */
function withLine(text: string, line: number, said: string): string {
  const lines = text.split('\n');
  lines[line - 1] = said + lines[line - 1]!.slice(said.length);
  return lines.join('\n');
}

/** A class in which texts name people: the second is called by a short name, and resembles the first most. */
function named(): Report {
  const report = classroom(50);
  const { overview } = report;
  overview.title = 'Exercise 4, for Bruno’s group';
  overview.submissions = overview.submissions.map((one, i) => (i === 1 ? { ...one, author: 'Li Wu' } : one));
  overview.pairs = overview.pairs.map((pair, i) =>
    i === 0 ? { ...pair, expected: 0.003 } : i === 3 ? { ...pair, expected: 37 } : pair,
  );
  const say = (key: string, line: number, said: string) => {
    const known = report.texts.get(key)!;
    report.texts.set(key, { ...known, text: withLine(known.text!, line, said), grey: [[0, 30, 'given']] });
  };
  say('0-0', 22, '  // Ada Lindqvist thanks Chidi');
  say('1-0', 23, '  // Li Wu copied Ada Carvalho');
  overview.notices = [
    {
      role: 'new',
      submission: folderOf(0),
      path: 'Main.java',
      outcome: 'flagged',
      reason: 'names Bruno Lindqvist',
    },
    { role: 'new', submission: folderOf(1), path: 'LiWu.zip', outcome: 'skipped', reason: 'binary' },
    { role: 'new', submission: folderOf(30), path: 'x.zip', outcome: 'skipped', reason: 'somebody else' },
  ];
  return report;
}

let browser: Browser;
let folder: string;
before(async () => {
  folder = temporary('student');
  writeReport(folder, named());
  browser = await launch();
});
after(() => browser?.close());

interface Wish {
  locale?: string;
  language?: string;
  names?: boolean;
  remarks?: boolean;
  hash?: string;
  at?: string;
}

/** Saves the report by the dialog and opens it without scripts and without a network. */
async function made({
  locale = 'en-GB',
  language,
  names,
  remarks,
  hash = '#/submission/1?t=0',
  at = folder,
}: Wish) {
  const from = await watch(browser, at, { locale });
  const { page } = from;
  const words = wordsOf(locale === 'de-AT' ? 'de' : 'en');
  await page.goto(address(at, hash));
  await page.waitForSelector('main h1');
  if (remarks) {
    await page.getByLabel(words.say('note-on-submission')).fill('Seen with Bruno Lindqvist');
    await page.getByLabel(words.say('mark-on-submission')).selectOption('unsure');
  }
  await page.getByRole('button', { name: words.say('student-open') }).click();
  const dialog = page.getByRole('dialog');
  if (language) await dialog.getByLabel(words.say('student-language')).selectOption(language);
  if (names) await dialog.getByLabel(words.say('student-names')).check();
  if (remarks) await dialog.getByLabel(words.say('student-marks')).check();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: words.say('student-save') }).click(),
  ]);
  assert.match(saved.suggestedFilename(), /^report-about-([0-9a-f]{8}|\d+)\.html$/);
  const html = readFileSync(await saved.path(), 'utf8');
  assert.deepEqual([...from.complaints, ...from.strays], []);
  await from.context.close();
  const bare = temporary('hearing');
  writeFileSync(join(bare, 'report.html'), html);
  const reader = await watch(browser, bare, { scripts: false, dark: true });
  await reader.context.setOffline(true);
  await reader.page.goto(`file://${bare}/report.html`);
  return { html, reader: reader.page, close: () => reader.context.close(), strays: reader.strays };
}

const textIn = (page: Page) => page.locator('body').innerText();

describe('a report about one person', () => {
  it('has the passages with both texts, the chance, what was set apart and the remarks, without scripts', async () => {
    const { html, reader, close, strays } = await made({});
    const text = await textIn(reader);
    for (const said of [
      'Report about Ada Lindqvist',
      'Ada Lindqvist and Person A',
      'About 1 in 330 batches like this would show such a pair by chance.',
      'About 37 such pairs would be in a batch like this by chance.',
      'It cannot be judged from this batch how unusual this is.',
      'Passage 1: 100 tokens',
      'This submission was handed in before the other, by 24',
      'Given as boilerplate by the teacher: ',
      'Ada Lindqvist: Main.java',
      'Person A: File 1.java',
      'This report covers 20 pairs that score 0.00 or more.',
    ])
      assert.ok(text.includes(said), said);
    assert.ok(!/<script|<link|<img|https?:/i.test(html));
    assert.deepEqual(strays, []);
    assert.equal(await reader.locator('article').count(), 20);
    for (let n = 21; n <= 30; n++)
      assert.equal(
        await reader
          .locator('article')
          .first()
          .locator('s', { hasText: new RegExp(`^${n}$`) })
          .count(),
        2,
      );
    assert.ok(!text.includes('Marks and notes'));
    await close();
  });

  it('names nobody else: not in texts, paths, notices or the batch’s name', async () => {
    const { html, reader, close } = await made({ remarks: true });
    const text = await textIn(reader);
    for (let i = 1; i < 50; i++) {
      if (i !== 1) assert.ok(!html.includes(personOf(i)), personOf(i));
      assert.ok(!html.includes(String(1_011_840 + i)));
    }
    for (const name of ['Bruno', 'Chidi', 'Li Wu', 'LiWu', 'Carvalho']) assert.ok(!html.includes(name), name);
    assert.ok(text.includes('// Ada Lindqvist thanks •••••'));
    assert.ok(text.includes('// •• •• copied ••• ••••••••'));
    assert.ok(text.includes('Seen with ••••• •••••••••'));
    assert.ok(!html.includes('somebody else'));
    await close();
  });

  it('has names, marks and notes where they are asked for', async () => {
    const { reader, close } = await made({ names: true, remarks: true });
    const text = await textIn(reader);
    for (const said of [
      'Ada Lindqvist and Li Wu',
      'Ada Lindqvist: Unsure',
      'Ada Lindqvist: Seen with Bruno Lindqvist',
    ])
      assert.ok(text.includes(said), said);
    assert.ok(!text.includes('Person A'));
    await close();
  });

  it('is in the browser’s language unless another is chosen', async () => {
    const german = await made({ locale: 'de-AT' });
    const text = await textIn(german.reader);
    const [de, en] = [wording('de'), wording('en')];
    assert.equal(await german.reader.locator('html').getAttribute('lang'), 'de');
    for (const key of ['in-short', 'reading', 'sources', 'set-apart', 'notices', 'settings', 'reading-score'])
      assert.ok(text.includes(de[key]!) && !text.includes(en[key]!), key);
    assert.ok(text.includes('Bericht über Ada Lindqvist') && text.includes('0,95'));
    assert.ok(text.includes('Etwa 1 von 330 Vergleichen'));
    await german.close();
    assert.ok(text.includes('Person A: Datei 1.java'));
    const english = await made({ locale: 'de-AT', language: 'en' });
    assert.ok((await textIn(english.reader)).includes(en['reading-score']!));
    await english.close();
  });

  it('has whole sentences of essays, in words', async () => {
    const at = temporary('essay');
    writeReport(at, essays());
    const { reader, close } = await made({ at });
    const text = (await textIn(reader)).replace(/\s+/g, ' ');
    assert.match(text, /Passage 1: \d+ words/);
    assert.ok(!text.includes('token'));
    assert.match(text, /Person A: File 1\.txt, lines? \d+/);
    await close();
  });

  for (const language of ['en', 'de'])
    for (const paper of PAPERS)
      it(`prints whole on ${nameOf(paper)} (${language})`, async () => {
        const { reader, close } = await made({ language });
        const pdf = await printed(reader, paper);
        const pages = pagesOf(pdf);
        pages.forEach((text, i) => {
          const page =
            language === 'de' ? `Seite ${i + 1} von ${pages.length}` : `Page ${i + 1} of ${pages.length}`;
          assert.ok(dense(text).endsWith(dense(page)), page);
          assert.ok(
            dense(text).startsWith(dense(wording(language).head!.replace('{name}', 'Ada Lindqvist'))),
          );
          assert.ok(text.split('\n').filter((line) => line.trim()).length > 2, `page ${i + 1} is blank`);
        });
        assert.deepEqual(overprinted(boxesOf(pdf)).slice(0, 3), []);
        assert.ok(lightness(pdf) > 0.8);
        // Line 25 stands in each of the 20 pairs, on both sides.
        assert.equal(textOf(pdf).split(dense('25    total = total + values[24] * factor;')).length - 1, 40);
        await close();
      });

  it('and the dialog are clean for axe-core, and its keys are its own', async () => {
    const { page, context } = await watch(browser, folder, { locale: 'en' });
    await page.goto(address(folder, '#/submission/1?t=0'));
    await page.waitForSelector('main h1');
    await page.getByRole('button', { name: 'Report about this submission…' }).click();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('n');
    assert.equal(await page.evaluate('document.activeElement.closest("dialog") !== null'), true);
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await context.close();
    const { html, close } = await made({});
    await close();
    const at = temporary('axe');
    writeFileSync(join(at, 'report.html'), html.replace(/<meta http-equiv[^>]*>/, ''));
    const reader = await watch(browser, at);
    await reader.page.goto(`file://${at}/report.html`);
    assert.deepEqual(await violations(reader.page), []);
    await reader.context.close();
  });
});
