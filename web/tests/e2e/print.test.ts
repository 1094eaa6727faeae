// What the browser prints of each view, on the paper that people have: read back from the PDF, nothing is missing, and
// nothing lies on anything else. Lists and pairs in each language.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, painted, watch } from '../browser.ts';
import { folderOf, personOf } from '../classroom.ts';
import { lineOf, LINES, paperReport, PASSAGES, SUBMISSIONS } from '../paper.ts';
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
import { wordsOf } from '../words.ts';
import { temporary, writeReport } from '../write.ts';

needPoppler();

const TITLE = 'Exercise 4: sorting';
let browser: Browser;
let folder: string;
let page: Page;
const pages = new Map<string, Page>();
const report = paperReport();
const { pairs } = report.overview;
const numberOf = (i: number) => folderOf(i).split('_')[1]!;

before(async () => {
  folder = temporary('paper');
  writeReport(folder, report);
  browser = await launch();
  // Dark on the screen: paper is light all the same.
  for (const locale of ['en', 'de'])
    pages.set(locale, (await watch(browser, folder, { dark: true, locale })).page);
  page = pages.get('en')!;
});
after(() => browser?.close());

async function open(hash: string, ready = 'main h1', page = pages.get('en')!): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(folder, hash));
  await page.waitForSelector(ready);
  await painted(page);
}

/** What every printed page must be, whatever stands on it. */
function isSound(pdf: string, words = wordsOf('en')): void {
  const pages = pagesOf(pdf);
  const head = `${TITLE} ${words.say('printed-on', { day: words.time(Date.now(), 'day') })}`;
  pages.forEach((text, i) => {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    assert.equal(dense(lines[0]!), dense(head), `header of page ${i + 1}`);
    assert.equal(dense(lines.at(-1)!), `${i + 1}/${pages.length}`);
    assert.ok(lines.length > 3, `page ${i + 1} of ${pages.length} is blank`);
  });
  assert.deepEqual(overprinted(boxesOf(pdf)).slice(0, 5), []);
  assert.ok(lightness(pdf) > 0.8, `lightness ${lightness(pdf)}`);
}

for (const paper of PAPERS)
  describe(`on ${nameOf(paper)}`, () => {
    it('the list of submissions has every name', async () => {
      await open('#/submissions', 'tr.row');
      const pdf = await printed(page, paper);
      isSound(pdf);
      const text = textOf(pdf);
      assert.equal(report.overview.submissions.length, SUBMISSIONS);
      for (let i = 0; i < SUBMISSIONS; i++)
        assert.ok(text.includes(dense(`${personOf(i)}${numberOf(i)}`)), folderOf(i));
    });

    for (const locale of ['en', 'de'])
      it(`the list of pairs has both names of each in ${locale}`, async () => {
        const page = pages.get(locale)!;
        await open('#/pairs?t=0', 'tr.row', page);
        const pdf = await printed(page, paper);
        isSound(pdf, wordsOf(locale));
        const text = textOf(pdf);
        pairs.forEach(({ a, b }, i) =>
          assert.match(
            text,
            new RegExp(
              `${i + 1}${dense(personOf(a))}${numberOf(a)}group\\w${dense(personOf(b))}${numberOf(b)}group\\w`,
            ),
          ),
        );
      });

    for (const [hash, what] of [
      ['#/submission/1?t=0', 'how many have it'],
      ['#/submission/1?t=0&mark=source', 'where it is found'],
    ] as const)
      it(`a submission has every line and each of its pairs, marked by ${what}`, async () => {
        await open(hash, '.box .row .text span');
        const pdf = await printed(page, paper);
        isSound(pdf);
        const text = textOf(pdf);
        for (let n = 1; n <= LINES; n++)
          assert.match(
            text,
            new RegExp(`${n}[\\d]*${dense(lineOf(0, n)).replace(/[()[\]+]/g, '\\$&')}`),
            `line ${n}`,
          );
        for (const { a, b } of pairs.filter(({ a, b }) => a === 0 || b === 0))
          assert.ok(text.includes(dense(folderOf(a === 0 ? b : a))));
      });

    for (const locale of ['en', 'de'])
      it(`a pair has both names and every passage in ${locale}`, async () => {
        const page = pages.get(locale)!;
        const words = wordsOf(locale);
        await open('#/pair/1', '.match', page);
        const pdf = await printed(page, paper);
        isSound(pdf, words);
        const text = textOf(pdf);
        for (const i of [0, 1]) {
          const about = words.say('side-about', { submission: folderOf(i), time: '', size: '' });
          assert.ok(
            text.includes(dense(`${'AB'[i]}: ${personOf(i)}, ${about.split(' UTC')[0]}`)),
            folderOf(i),
          );
        }
        assert.ok(text.includes(dense(words.say('colours'))));
        for (let passage = 0; passage < PASSAGES; passage++)
          for (let n = 16 * passage + 1; n <= 16 * passage + 10; n++) {
            const times = text.split(dense(`${n}${lineOf(0, n)}`)).length - 1;
            assert.ok(times >= 2, `line ${n} of passage ${passage + 1} stands there ${times} times`);
          }
      });

    it('clusters have all members and pairs, and the timeline is as wide as the paper', async () => {
      await open('#/clusters?t=0', '.node');
      const pdf = await printed(page, paper);
      isSound(pdf);
      const text = textOf(pdf);
      const heading = Number(/(\d+) pairs of cluster 1/.exec(pagesOf(pdf).join(''))![1]);
      const members = new Set<number>();
      const own = pairs.filter(({ a }) => a >= 20);
      assert.equal(heading, own.length);
      for (const { a, b } of own) {
        members.add(a).add(b);
        assert.match(
          text,
          new RegExp(`${dense(personOf(a))}${numberOf(a)}group\\w\\d*${dense(personOf(b))}${numberOf(b)}`),
        );
      }
      assert.ok(text.includes(`${members.size}members`));
    });

    it('the heat map is light', async () => {
      await open('#/clusters?t=0&as=heat', 'canvas');
      isSound(await printed(page, paper));
    });

    it('the overview is sound', async () => {
      await open('#/', '.best');
      isSound(await printed(page, paper));
    });
  });
