// Texts and names from the people who are being checked run nothing, load nothing, and look like text.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { address, launch, watch, type Watched } from '../browser.ts';
import { run } from '../example.ts';
import { hostile } from '../hostile.ts';
import { PAYLOADS } from '../payloads.ts';
import { temporary, writeReport } from '../write.ts';

let browser: Browser;
before(async () => void (browser = await launch()));
after(() => browser.close());

async function visit(folder: string, watched: Watched, pairs: number, submissions: number): Promise<void> {
  const { page } = watched;
  const hashes = [
    '#/',
    '#/pairs?t=0',
    '#/submissions',
    '#/clusters?t=0',
    '#/clusters/2?t=0',
    ...Array.from({ length: pairs }, (_, i) => `#/pair/${i + 1}`),
    ...Array.from({ length: submissions }, (_, i) => `#/submission/${i + 1}?t=0`),
    ...PAYLOADS.slice(0, 6).map((payload) => `#/pairs?q=${encodeURIComponent(payload)}`),
    ...PAYLOADS.slice(0, 6).map((payload) => `#/${payload}`),
  ];
  await page.goto(address(folder));
  for (const hash of hashes) {
    await page.evaluate((hash) => void (location.hash = hash), hash);
    await page.waitForSelector('main h1');
    if (/#\/(pair|submission)\//.test(hash)) await page.waitForSelector('.box .row, .empty');
  }
  const made = await page.evaluate(
    () => document.querySelectorAll('iframe, object, embed, form, base, img, video, audio').length,
  );
  assert.equal(made, 0);
}

function nothingHappened(watched: Watched): void {
  assert.deepEqual(watched.dialogs, []);
  assert.deepEqual(watched.strays, []);
  assert.deepEqual(watched.complaints, []);
}

describe(`${PAYLOADS.length} hostile payloads`, () => {
  it('run nothing as names, paths, labels, authors, languages, reasons and texts', async () => {
    const folder = temporary('hostile');
    writeReport(folder, hostile());
    const watched = await watch(browser, folder);
    await visit(folder, watched, PAYLOADS.length, 8);
    const { page } = watched;
    await page.goto(address(folder, '#/pairs?t=0'));
    const shown = await page.locator('tr.row').first().innerText();
    assert.ok(shown.includes('<script>alert(1)</script>'), 'shown as text');
    nothingHappened(watched);
    // The exported page neither, and it can be opened on its own.
    for (const number of [1, 2, 4, 7, 30]) {
      await page.goto(address(folder, `#/pair/${number}`));
      await page.waitForSelector('.box .row');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as one page' }).click(),
      ]);
      const file = join(folder, 'exported.html');
      await download.saveAs(file);
      const other = await watch(browser, folder);
      await other.page.goto(`file://${file}`);
      assert.equal(await other.page.locator('script, iframe, img, svg, math, form, object, link').count(), 0);
      nothingHappened(other);
      await other.context.close();
    }
    await watched.context.close();
  });

  it('run nothing in a report that the program made from hostile files', async () => {
    const home = temporary('files');
    const rows = ['file,author,label,submitted'];
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const shared =
      'for (const item of list) { total += item.price * item.count; if (total > limit) { throw new Error("too much"); } }\n';
    PAYLOADS.forEach((payload, i) => {
      const name = `${i}${payload.replaceAll(/[/\\\0]/g, '∕').slice(0, 60)}`;
      const inner = join(home, name, `f${name}`);
      mkdirSync(inner, { recursive: true });
      writeFileSync(
        join(inner, `${name}.js`),
        `// ${payload}\n${shared.repeat(4)}const text = ${JSON.stringify(payload)};\n${payload}\n`,
      );
      writeFileSync(join(inner, `${name}.bin`), Buffer.from([0, 1, 2, 3, 0, 0]));
      rows.push([name, payload, payload, '2026-03-01T10:00:00Z'].map(quoted).join(','));
    });
    // An archive with a hostile name and hostile entries.
    const archive = join(home, '<img src=x onerror=alert(1)>.zip');
    const entry = join(home, `0${PAYLOADS[0]!.replaceAll('/', '∕')}`);
    execFileSync('python3', [
      '-c',
      'import shutil,sys; shutil.make_archive(sys.argv[1][:-4], "zip", sys.argv[2])',
      archive,
      entry,
    ]);
    rows.push([quoted('<img src=x onerror=alert(1)>.zip'), 'x', 'y', ''].join(','));
    writeFileSync(join(home, 'list.csv'), `${rows.join('\n')}\n`);
    const folder = run([join(home, 'list.csv')]);
    for (const name of readdirSync(join(folder, 'data/texts'))) {
      const script = readFileSync(join(folder, 'data/texts', name), 'utf8');
      assert.doesNotMatch(script, /[<\u2028\u2029\u202e\u2066]/, name);
    }
    const watched = await watch(browser, folder);
    await visit(folder, watched, 12, 12);
    nothingHappened(watched);
    await watched.context.close();
  });
});
