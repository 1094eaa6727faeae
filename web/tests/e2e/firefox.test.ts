// The report in Firefox, opened from disk: overview, pairs, one pair, clusters, print.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { address } from '../browser.ts';
import { exampleReport, foundIn, type Found } from '../example.ts';
import { Firefox, FIREFOX } from '../firefox.ts';

const without = existsSync(FIREFOX) ? false : 'firefox-esr is not installed';

describe('the report in Firefox', { skip: without }, () => {
  let firefox: Firefox;
  let folder: string;
  let found: Found;
  before(async () => {
    folder = exampleReport();
    found = foundIn(folder);
    firefox = await Firefox.launch();
  });
  after(() => firefox?.close());
  const count = (selector: string) => `document.querySelectorAll('${selector}').length`;

  it('opens from disk and lists the pairs', async () => {
    await firefox.open(address(folder));
    await firefox.until(`${count('.best li')} > 0`);
    await firefox.open(address(folder, '#/pairs?t=0'));
    await firefox.until(`${count('tr.row')} > 0`);
    const status = await firefox.run("return document.querySelector('[role=status]').innerText");
    assert.match(String(status), new RegExp(`^${found.pairs.length} shown`));
  });

  it('opens a pair with both texts, and prints every passage', async () => {
    await firefox.open(address(folder, '#/pair/1'));
    await firefox.until(`${count('.box')} === 2 && ${count('.box .match')} > 1`);
    // What is printed is there while the page prints, and no longer.
    await firefox.run(
      `addEventListener('beforeprint', () => (document.title = 'printed ' + ${count('.paper section')}))`,
    );
    const pdf = await firefox.print();
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    const title = await firefox.run('return document.title');
    assert.equal(title, `printed ${found.pairs[0]!.passages.length}`);
  });

  it('draws the clusters, which a worker lays out', async () => {
    await firefox.open(address(folder, '#/clusters'));
    await firefox.until(`${count('.node')} > 0`);
    const drawn = await firefox.run(`return ${count('.node')}`);
    assert.equal(drawn, found.clusters.flatMap(({ members }) => members).length);
  });
});
