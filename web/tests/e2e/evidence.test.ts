// Evidence on paper: what the browser prints of a pair and of a cluster has every passage in full, whose it is,
// the settings and the release. The text is read back from the PDF, as its reader would find it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import '../english.ts';
import { strFromU8, unzipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import type { Passage, Side, TextData } from '../../src/data/model.ts';
import { chanceInWords } from '../../src/logic/chance.ts';
import { say } from '../../src/logic/say.ts';
import { address, launch, watch, type Watched } from '../browser.ts';
import { essays, SHARED } from '../essays.ts';
import { dataIn, exampleReport, foundIn, type Found } from '../example.ts';
import { dense, needPoppler, printed as pdfOf, textOf } from '../pdf.ts';
import { temporary, writeReport } from '../write.ts';

needPoppler();

let browser: Browser;
let folder: string;
let watched: Watched;
let page: Page;
let found: Found;

before(async () => {
  folder = exampleReport();
  found = foundIn(folder);
  browser = await launch();
  watched = await watch(browser, folder);
  page = watched.page;
});
after(() => browser?.close());

const printed = async (from: Page) => textOf(await pdfOf(from));

async function open(hash: string, at = folder): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(at, hash));
  await page.waitForSelector('main h1');
}

/** The saved evidence, printed from a folder of its own. */
async function savedAndPrinted(): Promise<string> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save evidence' }).click(),
  ]);
  const files = unzipSync(readFileSync(await saved.path()));
  const bare = temporary('bundle');
  writeFileSync(join(bare, 'evidence.html'), strFromU8(files['evidence.html']!));
  const reader = await watch(browser, bare);
  await reader.page.goto(`file://${bare}/evidence.html`);
  const text = await printed(reader.page);
  await reader.context.close();
  return text;
}

/** The lines of a match as they stand in the report. */
function linesOf(submission: number, match: Passage['matches'][number], side: Side): string[] {
  const { file, first_line, last_line } = match[side];
  const { text } = dataIn<TextData>(folder, `texts/${submission}-${file}`);
  return text!
    .split(/\r?\n/)
    .slice(first_line - 1, last_line)
    .filter((line) => line.trim() !== '');
}

function holdsPair(paper: string, index: number): void {
  const { a, b, expected, passages, score } = found.pairs[index]!;
  assert.ok(passages.length > 0);
  for (const submission of [a, b]) assert.ok(paper.includes(dense(found.submissions[submission]!.name)));
  assert.ok(paper.includes(`Score${score.toFixed(2)}`), `score of pair ${index + 1}`);
  assert.ok(
    paper.includes(expected === undefined ? '' : dense(chanceInWords(expected))),
    `chance of pair ${index + 1}`,
  );
  for (const { matches } of passages)
    for (const match of matches)
      for (const [side, submission] of [
        ['a', a],
        ['b', b],
      ] as const)
        for (const line of linesOf(submission, match, side))
          assert.ok(paper.includes(dense(line)), `pair ${index + 1}, ${side}: ${line}`);
}

function holdsSettings(paper: string): void {
  const { tool, promises, settings } = found;
  assert.ok(promises.length > 0);
  for (const text of [
    `Made with ${tool}`,
    `Saved on ${new Date().toISOString().slice(0, 10)}`,
    ...promises.map(({ text }) => text),
    `Minimum score listed ${settings.min_score.toFixed(2)}`,
    `Clusters from ${settings.cluster_threshold.toFixed(2)}`,
    'Treated as boilerplate',
    'Read as the language of each file',
    'neither a probability nor a verdict',
  ])
    assert.ok(paper.includes(dense(text)), text);
}

const richest = () =>
  found.pairs.reduce(
    (best, { passages }, i, all) => (passages.length > all[best]!.passages.length ? i : best),
    0,
  );

describe('evidence on paper', () => {
  it('of a pair, printed from its page, is whole', async () => {
    await open(`#/pair/${richest() + 1}`);
    await page.waitForSelector('.match');
    const paper = await printed(page);
    holdsPair(paper, richest());
    holdsSettings(paper);
  });

  it('of a pair, saved and printed, is whole', async () => {
    await open(`#/pair/${richest() + 1}`);
    await page.waitForSelector('.match');
    const paper = await savedAndPrinted();
    holdsPair(paper, richest());
    holdsSettings(paper);
  });

  it('of a cluster has all of its pairs', async () => {
    await open('#/clusters/1');
    const links = found.pairs.flatMap(({ a, b, score }, index) => {
      const inside = [a, b].every((i) => found.clusters[0]!.members.includes(i));
      return inside && score >= found.settings.cluster_threshold ? [index] : [];
    });
    assert.ok(links.length > 1);
    const paper = await savedAndPrinted();
    for (const index of links) holdsPair(paper, index);
    holdsSettings(paper);
  });

  it('of two essays has whole sentences, which go on over line ends', async () => {
    const folder = temporary('prose');
    writeReport(folder, essays());
    await open('#/pair/1?t=0', folder);
    await page.waitForSelector('.match');
    for (const paper of [await printed(page), await savedAndPrinted()]) {
      for (const shared of SHARED) {
        const sentences = dense(`Sentence ${shared} neighbours know.`);
        assert.equal(paper.split(sentences).length - 1, 2, `on both sides: ${shared}`);
      }
      assert.ok(!paper.includes(dense(say('limited'))));
    }
  });

  it('says where matching stopped at its work limit', async () => {
    const folder = temporary('limited');
    const report = essays();
    report.overview.pairs[0]!.truncated = true;
    writeReport(folder, report);
    await open('#/pair/1?t=0', folder);
    await page.waitForSelector('.match');
    for (const paper of [await printed(page), await savedAndPrinted()])
      assert.ok(paper.includes(dense(say('limited'))));
  });
});
