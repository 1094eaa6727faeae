// Every view and every interaction, over a report that the built program made from `examples/`.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, painted, shownAddress, until, watch, type Watched } from '../browser.ts';
import { exampleReport, foundIn, run, writtenReport, type Found } from '../example.ts';
import { APP, installApp, ROOT, temporary } from '../write.ts';
import { strFromU8, unzipSync } from 'fflate';
import { clustersAt } from '../../src/logic/clusters.ts';

let browser: Browser;
let folder: string;
let watched: Watched;
let page: Page;
let found: Found;

const nameOf = (i: number) => found.submissions[i]!.name;
const above = (threshold: number) => found.pairs.filter(({ score }) => score >= threshold).length;
/** The number, from 1, of the pair of two submissions. */
function numberOf(x: string, y: string): number {
  const index = found.pairs.findIndex(({ a, b }) => nameOf(a).endsWith(x) && nameOf(b).endsWith(y));
  assert.ok(index >= 0, `${x} and ${y} are listed`);
  return index + 1;
}

const passagesOf = (x: string, y: string) => found.pairs[numberOf(x, y) - 1]!.passages;

/** The pair of Ada and Chidi, who has moved everything. */
const pairPage = (params = '') => `#/pair/${numberOf('ada', 'chidi')}${params}`;

before(async () => {
  folder = exampleReport();
  found = foundIn(folder);
  browser = await launch();
  watched = await watch(browser, folder);
  page = watched.page;
});
after(() => browser.close());

async function open(hash = ''): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(folder, hash));
  await page.waitForSelector('main h1');
}

const text = async (selector: string) =>
  (await page.locator(selector).first().innerText()).replaceAll('\u202f', ' ');

async function downloaded(click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

describe('a report made from the examples', () => {
  it('is written with the committed program', () => {
    const folder = writtenReport();
    for (const [name, path] of [
      ['index.html', 'index.html'],
      ['app.js', 'app/app.js'],
      ['app.css', 'app/app.css'],
    ] as const) {
      assert.ok(
        readFileSync(join(APP, name)).equals(readFileSync(join(folder, path))),
        `${name} differs: build the program again with cargo`,
      );
    }
  });

  it('opens with what was compared, promised and not read', async () => {
    await open();
    const archived = found.submissions.filter(({ role }) => role === 'archive').length;
    const fresh = found.submissions.length - archived;
    assert.equal(
      await text('main h1'),
      `${fresh} submissions compared, also with ${archived} from the archive`,
    );
    const body = await text('main');
    const { possible, scored, supported, listed } = found.counts;
    for (const part of [
      ...found.promises.map(({ text }) => text),
      `${possible} possible pairs, ${scored} were scored`,
      `${supported} share a passage`,
      `${listed} are listed`,
      ...found.notices.map(({ reason }) => reason),
    ]) {
      assert.ok(body.includes(part), part);
    }
  });

  it('filters everything by the threshold, by slider and by dragging', async () => {
    await open();
    const shows = async (threshold: number) =>
      assert.match(await text('.facts'), new RegExp(`listed pairs\\s${above(threshold)}\\s`));
    await shows(found.settings.cluster_threshold);
    await page.locator('input[type=range]').fill('0.7');
    await page.waitForURL(/t=0\.7/);
    await shows(0.7);
    const box = (await page.locator('.frame svg').first().boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.72, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 60, { steps: 4 });
    await page.mouse.up();
    const dragged = Number(/t=([\d.]+)/.exec(await shownAddress(page))?.[1]);
    assert.ok(Math.abs(dragged - 0.9) < 0.05, String(dragged));
    await shows(dragged);
    await page.getByRole('button', { name: /Back to/ }).click();
    await shows(found.settings.cluster_threshold);
    await page.getByRole('button', { name: 'Logarithmic' }).click();
    assert.equal(
      await page.getByRole('button', { name: 'Logarithmic' }).getAttribute('aria-pressed'),
      'false',
    );
    await page.locator('input[type=range]').focus();
    const before = Number(await page.locator('input[type=range]').inputValue());
    await page.keyboard.press('ArrowRight');
    await page.waitForURL((url) => url.hash.endsWith(`t=${(before + 0.01).toFixed(2)}`));
  });

  it('lists pairs, sorts, searches, and keeps both in the address', async () => {
    await open('#/pairs?t=0');
    assert.equal(await page.locator('tr.row').count(), found.pairs.length);
    const lengths = found.pairs.map(({ longest }) => longest).sort((x, y) => x - y);
    await page.getByRole('button', { name: 'Longest' }).click();
    await page.waitForURL(/sort=-longest/);
    assert.equal(await text('tr.row .longest'), String(lengths.at(-1)));
    await page.getByRole('button', { name: 'Longest' }).click();
    assert.equal(await text('tr.row .longest'), String(lengths[0]));
    await page.getByRole('searchbox').fill('fatma longest:<100');
    const short = found.pairs.filter(
      ({ a, b, longest }) => longest < 100 && `${nameOf(a)} ${nameOf(b)}`.includes('fatma'),
    );
    assert.ok(short.length > 0);
    assert.equal(await page.locator('tr.row').count(), short.length);
    await open('#/pairs?t=0&q=archive%3Ayes');
    const archived = found.pairs.filter(({ a, b }) =>
      [a, b].some((side) => found.submissions[side]!.role === 'archive'),
    );
    assert.equal(await page.locator('tr.row').count(), archived.length);
    await page.getByRole('searchbox').fill('nobody at all');
    assert.match(await text('.empty'), /Nothing matches/);
  });

  it('walks and marks by keyboard alone, and keeps marks after a reload', async () => {
    await open('#/pairs?t=0');
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '2');
    await page.keyboard.press('c');
    assert.equal(await page.locator('tr[data-row="2"] select').inputValue(), 'copied');
    await page.keyboard.press('Home');
    await page.keyboard.press('u');
    await page.keyboard.press('Enter');
    await page.waitForURL(/pair\/1/);
    await page.getByRole('textbox', { name: /note/ }).fill('=asks for a talk');
    await open('#/pairs?t=0');
    assert.equal(await page.locator('tr[data-row="2"] select').inputValue(), 'copied');
    const { name, text } = await downloaded(() => page.getByRole('button', { name: 'Export marks' }).click());
    assert.equal(name, 'review.csv');
    assert.equal(text.split('\n').length, 4);
    assert.ok(text.includes("unsure,'=asks for a talk"), text);
  });

  it('shows a pair side by side, and a click on one side scrolls the other', async () => {
    const number = numberOf('ada', 'chidi');
    const { length } = passagesOf('ada', 'chidi');
    await open(`#/pair/${number}`);
    await page.waitForSelector('.match');
    const panes = page.locator('.box');
    assert.equal(await panes.count(), 2);
    assert.ok((await page.locator('.ribbons path').count()) > 0);
    const passages = page.locator('aside ol li');
    assert.equal(await passages.count(), length);
    assert.ok((await page.locator('aside').innerText()).includes('moved'));
    await passages.nth(0).locator('button').click();
    await page.waitForURL(/p=1/);
    await painted(page);
    const bar = await panes.nth(1).evaluate((box) => box.scrollTop);
    // A click on another passage at the left moves the right one to it.
    await passages
      .nth(length - 2)
      .locator('button')
      .click();
    await until(page, async () => (await panes.nth(1).evaluate((box) => box.scrollTop)) !== bar);
    await panes.nth(1).evaluate((box) => box.scrollTo(0, 0));
    await panes
      .nth(0)
      .locator(`.match[data-passage="${length - 2}"]`)
      .first()
      .click();
    await panes.nth(1).locator('.match.chosen').first().waitFor();
    await page.keyboard.press('.');
    await page.waitForURL((url) => url.hash.endsWith(`p=${length}`));
    await page.keyboard.press(',');
    await page.waitForURL((url) => url.hash.endsWith(`p=${length - 1}`));
  });

  it('scrolls both sides together when asked to', async () => {
    await open(pairPage('?p=1'));
    await page.waitForSelector('.match');
    const panes = page.locator('.box');
    const top = (pane = 1) => panes.nth(pane).evaluate((box) => box.scrollTop);
    await painted(page);
    const [own, before] = [await top(0), await top()];
    await panes.nth(0).hover();
    await page.mouse.wheel(0, 600);
    await until(page, async () => (await top(0)) !== own);
    await painted(page);
    assert.equal(await top(), before);
    await page.getByRole('button', { name: 'Scroll both together' }).click();
    await panes.nth(0).hover();
    await page.mouse.wheel(0, 600);
    await until(page, async () => (await top()) !== before);
    await page.getByRole('button', { name: 'Scroll both together' }).click();
  });

  it('links to a passage', async () => {
    const last = passagesOf('ada', 'chidi').length;
    await open(pairPage(`?p=${last}`));
    await page.waitForSelector('.match.chosen');
    assert.equal(await text('.why h2'), `Why passage ${last} matched`);
    assert.ok(await page.locator('aside li button[aria-current]').isVisible());
  });

  it('says why a passage matched although it differs', async () => {
    await open(`#/pair/${numberOf('ada', 'bruno')}?p=1`);
    await page.waitForSelector('.why');
    const why = await text('.why');
    const { tokens } = passagesOf('ada', 'bruno')[0]!;
    assert.match(why, new RegExp(`of ${tokens} tokens \\(\\d+ %\\) read the same`));
    assert.match(why, /names? were replaced one for one/);
    assert.ok((await page.locator('.why li').count()) > 3);
    await page.locator('.why li button').first().click();
  });

  it('shows what was done to hide a copy of prose', async () => {
    const essays = run(['examples/essays/nora.md', 'examples/essays/petra.txt']);
    installApp(essays);
    const other = await watch(browser, essays);
    await other.page.goto(address(essays, '#/pair/1'));
    await other.page.locator('.why h3', { hasText: 'Look-alike letters' }).waitFor();
    await other.page.locator('.why h3', { hasText: 'Hidden characters' }).waitFor();
    assert.ok((await other.page.locator('.hidden-char').count()) > 3);
    assert.equal(await other.page.locator('.why h3', { hasText: 'Renamed' }).count(), 0);
    assert.deepEqual(other.complaints, []);
    await other.context.close();
  });

  it('greys boilerplate, colours syntax, shows the minimap', async () => {
    // The passage that is nearest to boilerplate, so that both are in view.
    const { files } = found.submissions[found.pairs[numberOf('ada', 'chidi') - 1]!.a]!;
    const apart = passagesOf('ada', 'chidi').map(({ matches }) => {
      const { file, start } = matches[0]!.a;
      const grey = (files[file] as { boilerplate?: { start: number }[] }).boilerplate ?? [];
      return Math.min(...grey.map((grey) => Math.abs(grey.start - start)));
    });
    await open(pairPage(`?p=${apart.indexOf(Math.min(...apart)) + 1}`));
    await page.waitForSelector('.given');
    for (const part of ['.t-keyword', '.t-string', '.t-number', '.t-left-out', 'canvas']) {
      assert.ok((await page.locator(part).count()) > 0, part);
    }
  });

  it('goes through pairs', async () => {
    await open(pairPage());
    const next = numberOf('ada', 'chidi') + 1;
    await page.getByRole('link', { name: 'Next pair' }).click();
    await page.locator('main h1', { hasText: nameOf(found.pairs[next - 1]!.a) }).waitFor();
    await page.waitForURL((url) => url.hash.includes(`pair/${next}`));
    await open('#/pair/99');
    assert.match(await text('main h1'), /no such pair/);
  });

  it('goes through the pairs that were searched for, in the order of the table', async () => {
    const wanted = found.pairs.flatMap(({ a, b }, i) => (/goran/.test(nameOf(a) + nameOf(b)) ? [i + 1] : []));
    assert.ok(wanted.length > 1 && wanted.length < found.pairs.length);
    await open('#/pairs?t=0&q=goran&sort=-rank');
    await page.locator('tbody td.rank a').first().click();
    for (const [place, number] of wanted.toReversed().entries()) {
      await page.locator('.steps', { hasText: `${place + 1} of ${wanted.length}` }).waitFor();
      await page.waitForURL((url) => url.hash.includes(`pair/${number}.`));
      if (place + 1 < wanted.length) await page.getByRole('link', { name: 'Next pair' }).click();
    }
    assert.equal(await page.getByRole('link', { name: 'Next pair' }).count(), 0);
    // A pair that is none of them is one of all.
    const other = found.pairs.findIndex((_, i) => !wanted.includes(i + 1)) + 1;
    await open(`#/pair/${other}?t=0&q=goran`);
    await page.locator('.steps', { hasText: `${other} of ${found.pairs.length}` }).waitFor();
  });

  it('shows clusters as graph, list and timeline at the threshold', async () => {
    await open('#/clusters');
    await page.waitForSelector('.node');
    const { clusters } = found;
    assert.match(await text('main h1'), new RegExp(`^${clusters.length} clusters`));
    assert.equal(await page.locator('.node').count(), clusters.flatMap(({ members }) => members).length);
    const drawn = await page
      .locator('.edges')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join(''));
    assert.equal(drawn.split('M').length - 1, above(found.settings.cluster_threshold));
    assert.ok((await page.locator('.arrow').count()) >= 2);
    assert.match(await text('main'), /was handed in first/);
    const old = clusters.findIndex(({ members }) => members.some((member) => nameOf(member) === 'pavel'));
    await page.locator('nav[aria-label=Clusters] a').nth(old).click();
    await page.waitForURL(new RegExp(`clusters/${old + 1}`));
    await page.getByText('pavel is from the archive').waitFor();
    await page.locator('input[type=range]').fill('0.95');
    const dense = clustersAt(found.pairs, 0.95, found.submissions.length).length;
    assert.match(await text('main h1'), new RegExp(`^${dense} clusters?$`));
    await page.locator('input[type=range]').fill('1');
    await page.locator('input[type=range]').fill('0');
  });

  it('walks through the graph by keys, zooms it, and opens what is chosen', async () => {
    await open('#/clusters');
    await page.waitForSelector('.node');
    const seen = () => page.locator('.frame svg').first().getAttribute('viewBox');
    const names = await page.locator('.frame text').allInnerTexts();
    assert.ok(names.length >= found.clusters[0]!.members.length, `${names}`);
    const all = await seen();
    await page.locator('.frame').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.chosen');
    const first = await text('.guide [role=status]');
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
    assert.match(first, /, [1-9]\d* links?$/);
    await page.keyboard.press('+');
    assert.notEqual(await seen(), all);
    const box = (await page.locator('.frame').first().boundingBox())!;
    const before = await seen();
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 40, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await seen(), before);
    await page.getByRole('button', { name: 'Show all' }).click();
    assert.equal(await seen(), all);
    await page.locator('.frame').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/submission\/\d+/);
  });

  it('saves the evidence on a pair: all passages, texts and hashes', async () => {
    await open(pairPage());
    await page.waitForSelector('.match');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save evidence' }).click(),
    ]);
    const files = unzipSync(readFileSync(await saved.path()));
    const decoded = (name: string) => strFromU8(files[name]!);
    const sums = decoded('SHA256SUMS').trim().split('\n');
    assert.equal(sums.length, Object.keys(files).length - 1);
    for (const sum of sums) {
      const [hash, name] = sum.split('  ');
      assert.equal(createHash('sha256').update(files[name!]!).digest('hex'), hash, name);
    }
    const evidence = decoded('evidence.html');
    assert.match(evidence, new RegExp(new Date().toISOString().slice(0, 10)));
    const bare = temporary('evidence');
    writeFileSync(`${bare}/evidence.html`, evidence);
    const reader = await watch(browser, bare);
    await reader.page.goto(`file://${bare}/evidence.html`);
    const cells = await reader.page
      .locator('.aligned tr:not(.file) td')
      .evaluateAll((cells) => cells.map((cell) => cell.textContent!.replace(/\s+/g, '')));
    const { a, b } = found.pairs[numberOf('ada', 'chidi') - 1]!;
    const sides = { a: found.submissions[a]!, b: found.submissions[b]! };
    for (const { matches } of passagesOf('ada', 'chidi'))
      for (const match of matches)
        for (const side of ['a', 'b'] as const) {
          const { file, first_line, last_line } = match[side];
          const text = readFileSync(
            join(ROOT, 'examples/assignment', sides[side].name, sides[side].files[file]!.path),
            'utf8',
          );
          for (const line of text.split('\n').slice(first_line - 1, last_line))
            assert.ok(
              cells.some((cell) => cell.endsWith(line.replace(/\s+/g, ''))),
              line,
            );
        }
    assert.deepEqual(reader.complaints, []);
    await reader.context.close();
  });

  it('shows clusters as a heat map, and opens a pair from its cell', async () => {
    await open('#/clusters');
    await page.getByRole('button', { name: 'Heat map' }).click();
    await page.waitForSelector('canvas');
    await page.locator('.heat [role=application]').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await text('.card [role=status]'), / and .*: \d\.\d\d$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/pair\/\d+/);
    await page.goBack();
    await page.waitForSelector('canvas');
  });

  it('shows what a submission shares with anybody', async () => {
    await open('#/submission/1?t=0');
    await page.waitForSelector('.depth');
    assert.ok((await page.locator('.d2').count()) > 0);
    const partners = found.pairs.filter(({ a, b }) => a === 0 || b === 0).length;
    assert.ok((await text('aside')).includes(`at least one of ${partners} others`));
    await page.getByRole('button', { name: 'Where it is found' }).click();
    await page.waitForSelector('.match');
    assert.equal(await page.locator('aside .number').count(), partners);
    const badges = page.locator('.badge');
    const numbers = new Set((await badges.allInnerTexts()).map(Number));
    assert.ok(numbers.has(1) && Math.max(...numbers) <= partners, [...numbers].join());
    await badges.first().click();
    await page.waitForURL(/with=/);
    await page.getByRole('button', { name: 'Show only these matches', pressed: true }).click();
    await page.getByRole('button', { name: 'How many have it' }).click();
    await page.waitForSelector('.depth');
    await page.getByRole('button', { name: 'Show only these matches' }).first().click();
    await page.waitForSelector('.match');
    assert.match(await shownAddress(page), /with=/);
    await page.locator('.match').first().click();
    await page.waitForURL(/pair\/\d+/);
    const alone = found.submissions.findIndex((_, i) => found.pairs.every(({ a, b }) => a !== i && b !== i));
    await open(`#/submission/${alone + 1}?t=0`);
    assert.match(await text('main'), /in no listed pair/);
    await open('#/submission/999');
    assert.match(await text('main h1'), /no such submission/);
  });

  it('hides names in every view when asked to, and gives them back', async () => {
    const secrets = /\b(?:ada|bruno|chidi|hana|Lindqvist|Carvalho|Okonjo|pavel)\b|submissions\//i;
    await open();
    await page.getByRole('button', { name: 'Anonymous' }).click();
    for (const hash of [
      '#/',
      '#/pairs?t=0',
      pairPage(),
      '#/clusters',
      '#/submissions',
      '#/submission/1?t=0',
    ]) {
      await open(hash);
      if (hash.includes('pair/')) await page.waitForSelector('.match');
      const shown = `${await page.title()}\n${await page.locator('body').innerText()}`;
      assert.doesNotMatch(shown, secrets, hash);
    }
    const first = async (hash: string) => {
      await open(hash);
      return text('main .who .name');
    };
    const name = await first('#/submission/1?t=0');
    assert.equal(await first(pairPage()), name, 'the same pseudonym everywhere');
    await open('#/pairs');
    const { text: csv } = await downloaded(() => page.getByRole('button', { name: 'CSV' }).click());
    assert.doesNotMatch(csv, secrets);
    await open(pairPage());
    await page.waitForSelector('.match');
    const { text: html } = await downloaded(() =>
      page.getByRole('button', { name: 'Save as one page' }).click(),
    );
    assert.doesNotMatch(html, secrets);
    await page.getByRole('button', { name: 'Anonymous' }).click();
    await open(pairPage());
    assert.match(await text('main h1'), /ada/);
  });

  it('changes between light and dark, and remembers it', async () => {
    await open();
    const ground = () => page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    assert.notEqual(await ground(), light);
    await open('#/pairs');
    assert.notEqual(await ground(), light);
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    assert.equal(await ground(), light);
  });

  it('exports the current view as CSV', async () => {
    const isAda = ({ name, author }: Found['submissions'][number]) => `${name} ${author}`.includes('ada');
    const ofAda = found.pairs.filter(
      ({ a, b, score }) => score >= 0.5 && [a, b].some((side) => isAda(found.submissions[side]!)),
    );
    const rows = ofAda.map(({ a, b }) => `\\d+,${nameOf(a)},${nameOf(b)},.*\\n`);
    const partner = found.pairs.find(({ a, b }) => a === 0 || b === 0)!;
    const sheets: [string, RegExp, RegExp][] = [
      ['#/', /^notices\.csv$/, /^submission,path,outcome,reason\n/],
      ['#/pairs?t=0.5&q=ada', /^pairs\.csv$/, new RegExp(`^rank,a,b,.*\\n${rows.join('')}$`)],
      ['#/pair/1', /^pair-[0-9a-f]{8}\.csv$/, /^passage,tokens,moved,.*\n1,\d+,no,/],
      [
        '#/clusters',
        /^clusters\.csv$/,
        new RegExp(`^cluster,member,.*\\n1,${nameOf(found.clusters[0]!.members[0]!)},`),
      ],
      [
        '#/submission/1?t=0',
        /^submission-1\.csv$/,
        new RegExp(
          `^partner,pair,.*\\n${nameOf(partner.a === 0 ? partner.b : partner.a)},\\d+,0\\.\\d{4},0\\.\\d{4},0\\.\\d{4},\\d+,\\d+\\n`,
        ),
      ],
    ];
    for (const [hash, file, start] of sheets) {
      await open(hash);
      const { name, text } = await downloaded(() => page.getByRole('button', { name: 'CSV' }).click());
      assert.match(name, file);
      assert.match(text, start);
    }
  });

  it('exports a pair as one page that needs no script', async () => {
    await open(pairPage());
    await page.waitForSelector('.match');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as one page' }).click(),
    ]);
    const file = join(folder, 'pair-4.html');
    await download.saveAs(file);
    const html = readFileSync(file, 'utf8');
    assert.doesNotMatch(html, /<script|<link|<img|\son\w+=|https?:/);
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const other = await plain.newPage();
    await other.goto(`file://${file}`);
    assert.match(await other.locator('h1').innerText(), /ada and .*chidi/);
    const last = passagesOf('ada', 'chidi').length;
    await other.locator(`a[href="#b-${last}"]`).first().click();
    assert.ok(await other.locator(`#b-${last}`).isVisible());
    await plain.close();
  });

  it('prints pairs and passages, also those out of view', async () => {
    await open(pairPage());
    await page.waitForSelector('.match');
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.equal(await page.locator('.paper section').count(), passagesOf('ada', 'chidi').length);
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('.paper').isVisible());
    assert.ok(!(await page.locator('header.top').isVisible()));
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('.paper section').count(), 0);
  });

  it('moves the focus to the heading of a new view', async () => {
    await open();
    await page.locator('nav a', { hasText: 'Clusters' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await page.keyboard.press('Shift+Tab');
  });

  it('is readable at phone width, without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const hash of [
      '#/',
      '#/pairs?t=0',
      pairPage(),
      '#/clusters',
      '#/submissions',
      '#/submission/1?t=0',
    ]) {
      await open(hash);
      await painted(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${hash}: ${wide}`);
    }
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  it('complains of nothing and asks for nothing outside its folder', () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.strays, []);
    assert.deepEqual(watched.dialogs, []);
  });
});
