// What a reviewer does for hours: walk through a selection and come back, mark, find one person.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, launch, painted, shownAddress, until, watch, type Watched } from '../browser.ts';
import { hash } from '../../src/logic/anonymise.ts';
import { classroom, folderOf, personOf } from '../classroom.ts';
import { codeTokens } from '../tokens.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
let folder: string;
let watched: Watched;
let page: Page;
before(async () => {
  folder = temporary('class');
  writeReport(folder, classroom());
  browser = await launch();
  watched = await watch(browser, folder);
  page = watched.page;
});
after(() => browser.close());

async function open(hash: string, at = folder): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address(at, hash));
  await page.waitForSelector('main h1');
}

const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement!;
    return `${element.tagName} ${element.getAttribute('data-row') ?? element.getAttribute('data-keep') ?? ''}`.trim();
  });

describe('walking through pairs', () => {
  it('goes through twenty pairs of a search by keys, marks them, and returns to the row', async () => {
    const query = `#/pairs?t=0&q=${encodeURIComponent('"ada lindqvist"')}`;
    await open(query);
    await page.locator('[role=status]', { hasText: '20 shown' }).waitFor();
    const start = await shownAddress(page);
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('Enter');
    for (let place = 1; place <= 20; place++) {
      await page.locator('.steps', { hasText: `${place} of 20` }).waitFor();
      await page.locator('.head h1', { hasText: personOf(place) }).waitFor();
      assert.notEqual(await focused(), 'BODY');
      await page.keyboard.press(place % 2 ? 'c' : 'i');
      await page.locator(`.head select.${place % 2 ? 'copied' : 'innocent'}`).waitFor();
      if (place < 20) await page.keyboard.press('j');
    }
    await page.keyboard.press('k');
    await page.locator('.steps', { hasText: '19 of 20' }).waitFor();
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '18');
    assert.equal(await shownAddress(page), start);
    assert.equal(await page.locator('tr[data-row="18"] select').inputValue(), 'copied');
  });

  it('keeps the walk when a mark takes a pair out of the search', async () => {
    await open('#/pairs?t=0&q=mark%3Acopied');
    await page.locator('[role=status]', { hasText: '10 shown' }).waitFor();
    await page
      .locator('tr.row .names')
      .first()
      .click({ position: { x: 3, y: 3 } });
    await page.locator('.steps', { hasText: '1 of 10' }).waitFor();
    await page.keyboard.press('u');
    await page.keyboard.press('j');
    await page.locator('.steps', { hasText: '2 of 10' }).waitFor();
    await page.keyboard.press('k');
    await page.locator('.steps', { hasText: '1 of 10' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[role=status]', { hasText: '9 shown' }).waitFor();
  });

  it('returns to where the list was scrolled', async () => {
    await open('#/pairs?t=0');
    const box = page.locator('.scroll');
    await box.evaluate((box) => box.scrollTo(0, 2000));
    await page.locator('tr[data-row="35"]').waitFor();
    // A single click anywhere in the row opens it.
    await page.locator('tr[data-row="35"] .longest').click();
    await page.waitForURL(/pair\/36/);
    await page.waitForSelector('.match');
    assert.equal(await focused(), 'H1');
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '35');
    await until(page, async () => (await box.evaluate((box) => box.scrollTop)) > 1900);
  });

  it('keeps the focus on the control that was used', async () => {
    await open('#/pair/2?t=0');
    await page.locator('[data-keep=next]').focus();
    for (let i = 3; i < 6; i++) {
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`pair/${i}`));
      await painted(page);
      assert.equal(await focused(), 'A next');
    }
  });

  it('stops at no name inside a row: a row is one stop', async () => {
    await open('#/pairs?t=0');
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'SELECT');
    await page.keyboard.press('Tab');
    assert.ok(!(await page.evaluate(() => document.activeElement?.closest('tr.row'))));
  });
});

describe('marks', () => {
  const marked = async (at: string, query: string) => {
    await open(`#/pairs?t=0&q=${query}`, at);
    return (await page.locator('[role=status]').first().innerText()).replace(' shown', '');
  };

  it('outlive a late submission, and do not reach another assignment of the same class', async () => {
    await open('#/pairs?t=0');
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('c');
    const before = await marked(folder, 'mark%3Acopied');
    const [late, other] = [join(folder, 'late'), join(folder, 'other')];
    writeReport(late, classroom(61));
    writeReport(other, classroom(60, 50));
    assert.equal(await marked(late, 'mark%3Acopied'), before);
    assert.equal(await marked(other, 'mark%3Anone'), '60');
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('i');
    assert.equal(await marked(folder, 'mark%3Acopied'), before);
  });

  it('of an earlier release are taken over', async () => {
    const old = join(folder, 'old');
    const report = classroom(50, 55);
    writeReport(old, report);
    const names = report.overview.submissions.map(({ role, name }) => `${role}\0${name}`);
    const all = names.join('\0\0');
    const key = `fanmill:marks:${hash(all).toString(16)}${hash(all, 7).toString(16)}`;
    const review = [[[names[0], names[1]].sort().join('\0\0'), { mark: 'unsure', note: 'from before' }]];
    await open('', old);
    await page.evaluate(([key, text]) => localStorage.setItem(key!, text!), [key, JSON.stringify(review)]);
    await open('#/pair/1', old);
    assert.equal(await page.getByRole('textbox', { name: /note/ }).inputValue(), 'from before');
    assert.equal(await page.locator('.head select').inputValue(), 'unsure');
  });

  it("of a second reviewer stand beside one's own, and can be searched for where they differ", async () => {
    await open('#/pairs?t=0');
    await page.getByLabel('Your name').fill('Ann');
    await page.locator('tr.row').first().focus();
    await page.keyboard.press('c');
    await page.locator('tr.row').nth(1).focus();
    await page.keyboard.press('i');
    const bea = [
      'a,b,mark,note,reviewer',
      `${folderOf(0)},${folderOf(1)},copied,,Bea`,
      `${folderOf(22)},${folderOf(21)},copied,"see line 21, please",Bea`,
      `${folderOf(5)},,unsure,,Bea`,
      `${folderOf(3)},somebody else,copied,,Bea`,
      `${folderOf(23)},${folderOf(25)},unsure,,Ann`,
    ];
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bea.csv', mimeType: 'text/csv', buffer: Buffer.from(bea.join('\r\n')) });
    const status = page.locator('.review [role=status]');
    await status.filter({ hasText: '4 marks and notes imported' }).waitFor();
    assert.match(await status.innerText(), /1 differs? from yours.* 1 belongs? to submissions/);
    assert.match(await page.locator('tr[data-row="1"]').innerText(), /Bea: copied/);
    assert.equal(await page.locator('tr[data-row="2"] select').inputValue(), 'unsure');
    assert.equal(await marked(folder, 'differs%3Ayes'), '1');
    await page.locator('tr.row .longest').first().click();
    await page.getByText('Bea: see line 21, please').waitFor();
    // What one exports holds both.
    await open('#/pairs?t=0');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export marks' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    assert.match(csv, new RegExp(`^2,${folderOf(21)},${folderOf(22)},.*,innocent,,Ann$`, 'm'));
    assert.match(csv, /copied,"see line 21, please",Bea$/m);
    assert.match(csv, new RegExp(`^,${folderOf(5)},,.*,unsure,,Bea$`, 'm'));
  });

  it('are given to all pairs of a cluster at once, and taken back', async () => {
    await open('#/clusters');
    const status = page.locator('.all [role=status]');
    const before = await status.innerText();
    await page.getByRole('button', { name: 'unsure', exact: true }).click();
    await status.filter({ hasText: /^(\d+) unsure of \1$/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await status.filter({ hasText: before }).waitFor();
  });
});

describe('the list of submissions', () => {
  it('finds a person without a pair, by name, number and folder', async () => {
    const alone = 55;
    for (const query of [personOf(alone).toLowerCase(), String(1_011_840 + alone), folderOf(alone)]) {
      await open('#/submissions');
      assert.match(await page.locator('[role=status]').innerText(), /^60 shown/);
      await page.getByRole('searchbox').fill(`"${query}"`);
      await page.locator('[role=status]', { hasText: /^1 shown/ }).waitFor();
      const row = page.locator('tr.row');
      assert.match(await row.innerText(), new RegExp(`${personOf(alone)}.*no listed pair`, 's'));
    }
    await page.locator('tr.row').press('u');
    await page.keyboard.press('Enter');
    await page.waitForURL(/submission\/56/);
    await page.getByText('is in no listed pair').waitFor();
    assert.equal(await page.getByLabel('Your mark on this submission').inputValue(), 'unsure');
  });

  it('has the best match of each, and sorts by it', async () => {
    await open('#/submissions');
    const first = await page.locator('tr.row').first().innerText();
    assert.match(first, new RegExp(`${personOf(0)}.*0.95.*${personOf(1)}`, 's'));
    await page.getByRole('button', { name: 'Best match' }).click();
    assert.match(await page.locator('tr.row').first().innerText(), /no listed pair/);
    await page.getByRole('button', { name: 'Listed pairs' }).click();
    assert.match(await page.locator('tr.row').first().innerText(), new RegExp(personOf(0)));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'submissions.csv');
    const csv = readFileSync(await download.path(), 'utf8');
    assert.equal(csv.split('\n').length, 62);
    assert.ok(csv.includes(`${folderOf(0)},${personOf(0)},1011840,group A,new,`), csv.slice(0, 400));
  });
});

describe('filters and columns', () => {
  it('are buttons beside the typed search, and are kept', async () => {
    await open('#/pairs?t=0&q=lindqvist');
    const shown = async () =>
      Number(/^\d+/.exec(await page.locator('[role=status]').first().innerText())![0]);
    const all = await shown();
    const across = page.getByRole('button', { name: 'Across labels' });
    await across.click();
    await page.waitForURL(/q=lindqvist\+across/);
    assert.equal(await across.getAttribute('aria-pressed'), 'true');
    const some = await shown();
    assert.ok(some > 0 && some < all, `${some} of ${all}`);
    assert.match(await page.getByRole('button', { name: 'CSV' }).innerText(), new RegExp(`${some} pairs`));
    await page.getByRole('button', { name: 'Within one label' }).click();
    await across.click();
    await page.getByRole('button', { name: 'Within one label' }).click();
    assert.equal(await shown(), all);
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Rare material' }).uncheck();
    await page.reload();
    await page.waitForSelector('tr.row');
    assert.equal(await page.locator('th', { hasText: 'Rare material' }).count(), 0);
    assert.equal(
      await page.locator('th').count(),
      await page.locator('tr.row').first().locator('td').count(),
    );
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Rare material' }).check();
    assert.equal(await page.locator('th', { hasText: 'Rare material' }).count(), 1);
  });
});

describe('a note', () => {
  it('is opened by n, and left by Enter or Escape, so that no key of the view lands in it', async () => {
    for (const [hash, leave] of [
      ['#/pair/2', 'Enter'],
      ['#/pair/2', 'Escape'],
      ['#/submission/1', 'Escape'],
    ] as const) {
      await open(hash);
      await page.locator('main h1').waitFor();
      const note = page.getByRole('textbox', { name: /note/ });
      await page.keyboard.press('n');
      assert.equal(await note.evaluate((field) => field === document.activeElement), true, hash);
      await page.keyboard.type('jn');
      await page.keyboard.press(leave);
      await page.keyboard.press('j');
      assert.equal(await page.evaluate(() => document.activeElement?.tagName !== 'INPUT'), true);
      // Escape leaves the note, not the pair; then `j` goes to the next one.
      assert.match(await shownAddress(page), hash.startsWith('#/pair') ? /#\/pair\/3/ : /#\/submission\/1/);
      await open(hash);
      assert.equal(await note.inputValue(), 'jn');
      await note.fill('');
    }
  });
});

describe('a window of 1024 pixels, or one of 2048 at 200 %', () => {
  it('shows names in the list, and nothing of a pair over something else', async () => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await open('#/pairs?t=0');
    await page.locator('tr.row .two a.name').first().waitFor();
    const narrow = await page
      .locator('tr.row .two a.name')
      .evaluateAll((names) => names.filter((name) => name.getBoundingClientRect().width < 70).length);
    assert.equal(narrow, 0);
    for (const pair of [1, 3]) {
      await open(`#/pair/${pair}`);
      await page.locator('.head .facts').waitFor();
      const over = await page
        .locator('.head :is(h1 .side > *, .facts > div, .tools > *)')
        .evaluateAll((all) => {
          const boxes = all.map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);
          const meet = (a: DOMRect, b: DOMRect) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
          return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b))).length;
        });
      assert.equal(over, 0, `pair ${pair}`);
    }
    await page.setViewportSize({ width: 1400, height: 900 });
  });
});

describe('the histograms', () => {
  it('show every digit of their axes, and the best match of each submission', async () => {
    const large = join(folder, 'histogram');
    const report = classroom();
    report.overview.histogram[0] = 15_234;
    writeReport(large, report);
    await open('', large);
    const plots = page.locator('.frame svg');
    assert.equal(await plots.count(), 2);
    assert.ok((await plots.first().innerHTML()).includes('10\u202f000'));
    for (const button of [false, true]) {
      if (button) await page.getByRole('button', { name: 'Logarithmic' }).click();
      const cut = await plots.evaluateAll((plots) =>
        plots.flatMap((plot) => {
          const frame = plot.getBoundingClientRect();
          return [...plot.querySelectorAll('text')].flatMap((text) => {
            const { left, right } = text.getBoundingClientRect();
            return left < frame.left || right > frame.right ? [text.textContent] : [];
          });
        }),
      );
      assert.deepEqual(cut, []);
    }
    const best = await page.locator('caption', { hasText: 'best matches' }).locator('..').innerText();
    const total = [...best.matchAll(/\t(\d+)$/gm)].reduce((sum, [, number]) => sum + Number(number), 0);
    const inPairs = new Set(report.overview.pairs.flatMap(({ a, b }) => [a, b])).size;
    assert.equal(total, inPairs);
    await page.getByText(`${60 - inPairs} submissions are in no listed pair`).waitFor();
    // Printed whole: as wide as the paper.
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 900 });
    const wide = await plots.evaluateAll((plots) => plots.map((plot) => plot.getBoundingClientRect().right));
    assert.ok(Math.max(...wide) <= 700, String(wide));
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1400, height: 900 });
  });
});

describe('a pair', () => {
  it('says which file one is in, and leads to the others, most matched first', async () => {
    await open('#/pair/1?t=0');
    await page.waitForSelector('.match');
    const files = page.locator('.file select').first();
    assert.deepEqual(
      (await files.locator('option').allInnerTexts()).map((text) => text.replace(/\(\d+/, '(N')),
      ['Main.java (N\u202f% marked)', 'Other.java (nothing marked)'],
    );
    assert.equal(await files.inputValue(), '0');
    await files.selectOption('1');
    await until(page, async () => (await files.inputValue()) === '1');
    await page.locator('.box').first().locator('[data-line="5"]').last().waitFor();
  });

  it('folds what does not match, and shows it again', async () => {
    await open('#/pair/1?t=0');
    await page.waitForSelector('.match');
    const box = page.locator('.box').first();
    await page.getByRole('button', { name: 'Fold what does not match' }).click();
    const folds = box.locator('.fold');
    await folds.first().waitFor();
    assert.deepEqual(await folds.allInnerTexts(), [
      '⋯ 17 lines without a match',
      '⋯ 27 lines without a match',
      '⋯ 60 lines without a match',
    ]);
    assert.equal(await box.locator('[data-line="5"]').count(), 0);
    assert.equal(await box.locator('[data-line="25"]').count(), 1);
    await folds.first().click();
    await box.locator('[data-line="5"]').waitFor();
    assert.equal(await folds.count(), 2);
    await page.getByRole('button', { name: 'Fold what does not match' }).click();
    await until(page, async () => (await folds.count()) === 0);
  });

  it('gives the whole width to the texts when asked to', async () => {
    await open('#/pair/1?t=0');
    await page.waitForSelector('.match');
    const width = async () => (await page.locator('.box').first().boundingBox())!.width;
    const before = await width();
    await page.getByRole('button', { name: 'Passages and why' }).click();
    await until(page, async () => (await width()) > before + 100);
    await page.getByRole('button', { name: 'Passages and why' }).click();
    await page.locator('aside').waitFor();
  });

  it('begins high on a phone, with the rest of its head behind a button', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [pair, at] of [
      [1, 250],
      [60, 210],
    ] as const) {
      // The first one has another reviewer's mark, in a row of its own.
      await open(`#/pair/${pair}?t=0`);
      await page.waitForSelector('.match');
      const box = (await page.locator('.box:visible').boundingBox())!;
      assert.ok(box.y <= at, `the text of pair ${pair} begins at ${box.y}`);
      const rights = await page
        .locator('.head *:visible, .switches *:visible')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      assert.ok(Math.max(...rights) <= 376, `${Math.max(...rights)}`);
    }
    const [note, folding] = [
      page.getByRole('textbox', { name: /note/ }),
      page.getByRole('button', { name: /Fold/ }),
    ];
    assert.deepEqual([await note.isVisible(), await folding.isVisible()], [false, false]);
    await page.getByRole('button', { name: 'More' }).click();
    await page.reload();
    await note.fill('seen on a phone');
    await folding.waitFor();
    await page.locator('.head h1', { hasText: personOf(42) }).waitFor();
    await page.getByRole('button', { name: 'Less' }).click();
    await note.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  it('shows one side on a phone; a passage leads to the other', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('#/pair/1?t=0');
    await page.waitForSelector('.match');
    const [a, b] = [page.locator('.box').first(), page.locator('.box').last()];
    assert.deepEqual([await a.isVisible(), await b.isVisible()], [true, false]);
    await a.locator('.match').first().click();
    await b.locator('.match').first().waitFor();
    assert.deepEqual([await a.isVisible(), await b.isVisible()], [false, true]);
    await page.getByRole('button', { name: /^A: / }).click();
    await a.locator('.match').first().waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await page.setViewportSize({ width: 1400, height: 900 });
  });
});

describe('a printed pair', () => {
  it('has every line of every passage, with numbers, on paper', async () => {
    const long = join(folder, 'long');
    const report = classroom();
    const { passages } = report.pairs.get(0)!;
    // A passage of far more than a page: the whole of both files.
    const lines = Array.from({ length: 400 }, (_, i) => `int value${i + 1} = ${7 * i} + shared;`);
    const text = lines.join('\n');
    for (const key of ['0-0', '1-0'])
      report.texts.set(key, { text, cut: 0, grey: [], tokens: codeTokens(text) });
    const place = { file: 0, start: 0, end: text.length, first_line: 1, last_line: 400 };
    passages.splice(0, 1, { tokens: 2400, moved: false, matches: [{ tokens: 2400, a: place, b: place }] });
    writeReport(long, report);
    await open('#/pair/1?t=0', long);
    await page.waitForSelector('.match');
    const pdf = join(long, 'pair.pdf');
    await page.pdf({ path: pdf, format: 'A4' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const sides = page.locator('.paper .two > div');
    for (let side = 0; side < 2; side++) {
      const rows = (await sides.nth(side).locator('.row').allInnerTexts()).map((row) =>
        row.replace(/\s+/, ' '),
      );
      assert.deepEqual(
        rows,
        lines.map((line, i) => `${i + 1} ${line}`),
      );
    }
    const { right } = await sides.last().evaluate((side) => side.getBoundingClientRect().toJSON());
    assert.ok(right <= 1400);
    assert.match(
      await page.locator('.paper').innerText(),
      /Made with\s+fanmill 0\.1\.0\s+Saved on\s+20\d\d-\d\d-\d\d/,
    );
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    // A line takes 10.5 points, and a page of A4 has some 760: 400 lines are six pages at least.
    const pages = readFileSync(pdf, 'latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
    assert.ok(pages >= 6, `${pages} pages`);
  });
});

describe('a class', () => {
  it('complains of nothing and asks for nothing outside its folder', () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.strays, []);
  });
});
