// A term in a department, in a browser, with the program behind a proxy: what each step leaves is there in all later ones, also
// after the program was killed, and what was erased is nowhere.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch, shownAddress, until } from '../browser.ts';
import { fanmill } from '../example.ts';
import { FIREFOX } from '../firefox.ts';
import { faults } from '../server/axe.ts';
import { open, PASSWORD, type Open } from '../server/page.ts';
import { Program } from '../server/program.ts';
import { temporary } from '../write.ts';
import { folder, list, pack, program, students, term, type Student } from './class.ts';
import { Teacher } from './firefox.ts';
import { Platform } from './platform.ts';
import { addressOf, freePort, kinds, start, type Kind, type Proxy } from './proxy.ts';
import { traces } from './search.ts';

const CLASS = students(300);
/** The student who is erased, and a sentence that nobody else has. */
const [ERASED, COPIED] = [CLASS[0]!, CLASS[1]!];
const SENTENCE = 'The kettle sang before the lamp was lit.';
/** Those who hand in late, and somebody of last year, whose program one of this year has. */
const LATE: Student[] = [301, 302].map((i) => ({
  name: `Late Person${i}`,
  id: 5000 + i,
  mail: `s${5000 + i}@example.edu`,
  group: 'evening',
}));
const LAST_YEAR = students(300, 2000)
  .filter((_, i) => i % 25 === 0)
  .map((one) => ({ ...one, name: one.name.replace(/^\S+/, 'Zeno') }));

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const zip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer });
const csv = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/csv', buffer });
const submissions = (page: Page, label: string) =>
  page.getByRole('group', { name: label, exact: true }).locator('input[type=file]');

/** Everything that a term needs: the program, its proxy and its people. */
class Term {
  readonly folder = temporary('term');
  program!: Program;
  proxy!: Proxy;
  ada!: Open;
  ivo!: Open;
  mei!: Open;
  batch = '';
  /** The address of a pair in its report. */
  pair = '';
  moss = 0;
  /** What changed something, as `DELETE /api/v1/links/{id}`, of all programs that have ended. */
  private readonly changed = new Set<string>();
  private settings = '';
  private port = 0;

  async open(kind: Kind): Promise<void> {
    const front = await freePort();
    [this.port, this.moss] = [await freePort(), await freePort()];
    this.settings = `public-url = "${addressOf(kind, front)}"
trusted-proxies = ["127.0.0.1"]
log = "json"
moss = "127.0.0.1:${this.moss}"`;
    await this.start();
    this.proxy = await start(kind, front, this.port);
    this.ada = await open(browser, this.proxy.address);
  }

  async start(folder = this.folder): Promise<void> {
    this.program = await Program.start(this.settings, {}, { folder, listen: `127.0.0.1:${this.port}` });
  }

  /** Kills the program at whatever it does, and starts it again. */
  async kill(): Promise<void> {
    await this.stop('SIGKILL');
    await this.start();
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.program.stop(signal);
    this.changes();
  }

  /** What has changed something until now, by the log. */
  changes(): Set<string> {
    for (const line of this.program.said.filter((one) => one.startsWith('{'))) {
      const { method, route, status } = JSON.parse(line);
      if (route && method !== 'GET' && status < 400) this.changed.add(`${method} ${route}`);
    }
    return this.changed;
  }

  /** With TERM_KILLS, kills the program soon after it has acknowledged a change. */
  async disturb(): Promise<void> {
    if (!process.env.TERM_KILLS) return;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    await this.kill();
  }

  /** Lets somebody in who was added. */
  async enter(link: string): Promise<Open> {
    const person = await open(browser, this.proxy.address);
    await person.page.goto(link);
    await person.page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await person.page.getByRole('button', { name: 'Save and log in' }).click();
    await heading(person.page, 'Courses');
    return person;
  }

  /** The path of an address of the service, without that of the service itself. */
  pathOf(address: string): string {
    assert.ok(address.startsWith(`${this.proxy.address}/`), address);
    return address.slice(this.proxy.address.length);
  }

  /** Waits until the batch on this page is compared, and the page shows it. */
  async compared(page = this.ada.page): Promise<void> {
    const path = this.pathOf(await shownAddress(page));
    await until(page, async () => (await (await page.request.get(`api/v1${path}`)).json()).state === 'done');
    await page.getByRole('link', { name: 'Open the report' }).waitFor();
  }

  async close(): Promise<void> {
    for (const person of [this.ada, this.ivo, this.mei]) await person?.context.close();
    await this.program?.stop();
    this.proxy?.stop();
  }
}

/** The text of the page's result, without breaks. */
const result = async (page: Page) =>
  (await page.getByRole('region', { name: 'Result' }).innerText()).replace(/\s+/g, ' ');

/** Uploads files as a new batch, and opens its page. */
async function upload(
  page: Page,
  title: string,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
  button: 'Upload and check' | 'Upload and compare',
): Promise<void> {
  const another = page.getByRole('button', { name: 'New batch' });
  if (await another.count()) await another.click();
  await submissions(page, 'Submissions').nth(1).setInputFiles(files);
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: button }).click();
  await heading(page, title);
}

/** Goes to the course. */
async function toCourse(page: Page): Promise<void> {
  await page.goto('');
  await page.getByRole('link', { name: 'Programming 1' }).click();
  await heading(page, 'Programming 1');
}

/** Opens the pairs of the batch's report. */
async function toPairs(page: Page, batch: string): Promise<void> {
  await page.goto(`${batch}/report/#/pairs?t=0`);
  await page.locator('tr.row').first().waitFor();
}

const rows = (page: Page, a: Student, b: Student) =>
  page.locator('tr.row').filter({ hasText: a.name }).filter({ hasText: b.name });

/** Asks as a client of MOSS does; returns the address of the result. */
function asked(port: number, id: string, files: [string, string][]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.write(`moss ${id}\ndirectory 0\nX 0\nmaxmatches 10\nshow 250\nlanguage java\n`);
    socket.on('data', (data) => {
      said += data.toString();
      if (/^yes\n$/.test(said)) {
        files.forEach(([name, text], i) => {
          socket.write(`file ${i + 1} java ${Buffer.byteLength(text)} ${name}\n${text}`);
        });
        socket.write('query 0 lab 4\n');
      }
      const address = /http:\S+/.exec(said)?.[0];
      if (!address || !said.endsWith('\n')) return;
      socket.end('end\n');
      resolve(address);
    });
    socket.on('error', reject);
  });
}

/** The process of the comparison that a program runs; null if it runs none. */
function jobOf(program: number): number | null {
  for (const one of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1];
      const isJob = () => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('/batches/');
      if (Number(parent) === program && isJob()) return Number(one);
    } catch {
      // It has ended since.
    }
  }
  return null;
}

for (const kind of kinds()) {
  describe(`a term behind ${kind}`, () => {
    const all = new Term();
    before(() => all.open(kind));
    after(() => all.close());
    beforeEach(async () => {
      if (all.batch) await all.disturb();
    });

    it('begins with two teachers, a reader and a course', async () => {
      const { page } = all.ada;
      await page.goto(new URL(all.program.first).pathname);
      await heading(page, 'Set up this server');
      await page.getByLabel('Your name').fill('Ada Lindqvist');
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Set up' }).click();
      await heading(page, 'Courses');
      await page.goto('users');
      const links: string[] = [];
      for (const [name, role] of [
        ['Ivo Marić', 'teacher'],
        ['Mei', 'reader'],
      ] as const) {
        await page.getByLabel('Name').fill(name);
        await page.getByLabel('Role', { exact: true }).selectOption(role);
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        links.push(await page.getByLabel(`One-time link for ${name}`, { exact: true }).inputValue());
        await all.disturb();
      }
      assert.ok(links[0]!.startsWith(`${all.proxy.address}/`), 'the link leads through the proxy');
      [all.ivo, all.mei] = [await all.enter(links[0]!), await all.enter(links[1]!)];
      await page.goto('');
      await page.getByLabel('Name').fill('Programming 1');
      await page.keyboard.press('Enter');
      await heading(page, 'Programming 1');
      for (const [name, role] of [
        ['Ivo Marić', 'teacher'],
        ['Mei', 'reader'],
      ] as const) {
        await page.getByLabel('Add somebody by name').fill(name);
        await page.getByLabel('As', { exact: true }).selectOption(role);
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        await page.getByText(`${name} is now a member.`).waitFor();
        await all.disturb();
      }
    });

    it('asks who is there before it compares, and compares although it is killed meanwhile', async () => {
      const { page } = all.ada;
      await toCourse(page);
      const { zip: work, list: people } = term(CLASS, SENTENCE);
      await upload(page, 'Week 3', [zip('moodle.zip', work), csv('class.csv', people)], 'Upload and check');
      all.batch = await shownAddress(page);
      await all.disturb();
      await page.getByText('Is that right?').waitFor();
      const said = await result(page);
      assert.match(
        said,
        /^300 people with 1 file or folder each; what is known of them is from the uploaded list\./,
      );
      assert.match(said, /12 files were left out, and 3 could not be read\. Is that right\?/);
      assert.deepEqual(await faults(page, 'proposed batch'), []);
      const begun = page.waitForResponse((answer) => answer.url().endsWith('/run'));
      await page.getByRole('button', { name: 'Yes, compare' }).click();
      // A kill before this answer may lose it.
      assert.equal((await begun).status(), 202);
      await all.kill();
      await page.reload();
      await all.compared();
      const found = await result(page);
      assert.match(
        found,
        /SUBMISSIONS 300 .*PAIRS? LISTED [\d ]+ STANDS? OUT \d+ BEST SCORE 1\.00 NOTICES 15/i,
      );
      assert.match(found, /Not compared in full/);
    });

    it('is amber if a part was not compared, and red if nothing was', async () => {
      const { page } = all.ivo;
      const damaged = Buffer.from('PK\u0003\u0004 no document');
      const part = pack(
        CLASS.slice(40, 48).map((one, i): [Student, Record<string, string | Uint8Array>] => [
          one,
          i < 2 ? { 'a.docx': damaged } : { 'Task.java': program(50 + i) },
        ]),
      );
      const picture = {
        name: 'board.png',
        mimeType: 'image/png',
        buffer: Buffer.from('\x89PNG\r\n\x1a\n\0'),
      };
      for (const [title, file, chip] of [
        ['Week 1', zip('part.zip', part), 'Compared in part'],
        ['Week 2', picture, 'Nothing compared'],
      ] as const) {
        await toCourse(page);
        await upload(page, title, file, 'Upload and compare');
        await all.disturb();
        await all.compared(page);
        await page.getByText(chip).first().waitFor();
      }
    });

    it('is reviewed by two, and read by a third who can change nothing', async () => {
      const { page } = all.ada;
      await toPairs(page, all.batch);
      const first = rows(page, ERASED, COPIED).first();
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
      await first.focus();
      await page.keyboard.press('c');
      assert.equal((await saved).status(), 204);
      await all.disturb();
      await toPairs(all.ivo.page, all.batch);
      const own = rows(all.ivo.page, ERASED, COPIED).first();
      const link = await own.getByRole('link').first().getAttribute('href');
      all.pair = `${all.batch}/report/${link}`;
      const noted = all.ivo.page.waitForResponse((answer) => answer.request().method() === 'PUT');
      await own.focus();
      await all.ivo.page.keyboard.press('u');
      assert.equal((await noted).status(), 204);
      await all.disturb();
      await toPairs(all.mei.page, all.batch);
      await all.mei.page.getByText('Ada Lindqvist: copied').first().waitFor();
      await all.mei.page.getByText('Ivo Marić: unsure').first().waitFor();
      assert.equal(await all.mei.page.locator('main select[aria-label^="Your mark"]').count(), 0);
      await all.mei.page.goto(all.batch);
      await heading(all.mei.page, 'Week 3');
      const changes = /Run again|Delete|Make a link|Add to/;
      assert.equal(await all.mei.page.getByRole('button', { name: changes }).count(), 0);
    });

    it('takes two who are late, and keeps the marks', async () => {
      const { page } = all.ada;
      await page.goto(all.batch);
      const late = pack(LATE.map((one, i) => [one, { 'Task.java': program(i === 0 ? 9 : 777) }]));
      const box = submissions(page, 'Late submissions');
      await box.nth(1).setInputFiles([zip('late.zip', late), csv('late.csv', list(LATE))]);
      await page.getByRole('button', { name: 'Add to this batch' }).click();
      await page.getByText(/Added: Late Person301_5301.*, Late Person302_5302/).waitFor();
      await all.disturb();
      await page.getByText('Is that right?').waitFor();
      assert.match(await result(page), /^302 people with 1 file or folder each/);
      await page.getByRole('button', { name: 'Yes, compare' }).click();
      await all.compared();
      await toPairs(page, all.batch);
      assert.equal(await rows(page, ERASED, COPIED).first().locator('select').inputValue(), 'copied');
      await rows(page, CLASS[9]!, LATE[0]!).first().waitFor();
      // An address that was noted before leads to the same pair, whatever its rank is now.
      await page.goto(all.pair);
      await page.getByRole('heading', { level: 1 }).filter({ hasText: ERASED.name }).waitFor();
      await page.getByRole('heading', { level: 1 }).filter({ hasText: COPIED.name }).waitFor();
    });

    it('is read again as another language, and compared with last year', async () => {
      const { page } = all.ada;
      await toCourse(page);
      const old = pack(LAST_YEAR.map((one, i) => [one, { 'Task.java': program(i === 0 ? 20 : 3000 + i) }]));
      await upload(page, 'Last year', zip('old.zip', old), 'Upload and compare');
      await all.compared();
      await page.getByRole('button', { name: 'Add to the archive' }).click();
      await page.getByText('are in the course’s archive').waitFor();
      await all.disturb();

      await page.goto(all.batch);
      await page.getByText('Settings – the usual ones').click();
      assert.ok(
        await page
          .getByLabel(/earlier|archive/i)
          .last()
          .isChecked(),
      );
      await page.getByLabel('Language').fill('c');
      await page.getByText('What changes: language: c instead of the usual.').waitFor();
      const ran = page.waitForResponse((answer) => answer.url().endsWith('/run'));
      await page.getByRole('button', { name: 'Run again' }).click();
      assert.equal((await ran).status(), 202);
      await all.disturb();
      await all.compared();
      assert.match(await result(page), /EARLIER ONES 12/i);
      await toPairs(page, all.batch);
      await rows(page, CLASS[20]!, LAST_YEAR[0]!).first().waitFor();
      const shown = await page.request.get(`${all.batch}/report/report.json`);
      const languages = (await shown.json()).submissions.flatMap((one: { files: { language: string }[] }) =>
        one.files.map(({ language }) => language),
      );
      assert.deepEqual([...new Set(languages)], ['c']);
    });

    it('is shared by a link with a password, which opens, and is revoked', async () => {
      const { page } = all.ada;
      await page.goto(all.batch);
      await page.getByLabel('Password (optional)', { exact: true }).fill('a red kettle');
      await page.getByRole('button', { name: 'Make a link' }).click();
      const link = await page.getByLabel('Link to the report').inputValue();
      assert.ok(link.startsWith(`${all.proxy.address}/s/`));
      await all.disturb();
      const guest = await open(browser, all.proxy.address);
      await guest.page.goto(link);
      await guest.page.getByLabel('Password').fill('a red lamp');
      await guest.page.getByRole('button', { name: 'Open' }).click();
      await guest.page.getByText('The password is wrong.').waitFor();
      await guest.page.getByLabel('Password').fill('a red kettle');
      await guest.page.getByRole('button', { name: 'Open' }).click();
      await heading(guest.page, '302 submissions compared');
      await page.getByRole('button', { name: /^Revoke the link/ }).click();
      await page.getByText('The link no longer works.').waitFor();
      await all.disturb();
      assert.equal((await guest.page.goto(link))!.status(), 404);
      assert.deepEqual(guest.complaints, []);
      await guest.context.close();
    });

    it('is printed and saved, and says when it is deleted', async () => {
      const { page } = all.ada;
      await toCourse(page);
      await page.getByText(/deleted 180\sdays after the upload/).waitFor();
      await page.goto(all.batch);
      await page.getByText(/^deleted on$/i).waitFor();
      await page.goto(`${all.batch}/report/#/submission/1`);
      await heading(page, ERASED.name);
      const printed = (await page.pdf({ format: 'A4' })).toString('latin1');
      assert.match(printed, /^%PDF-[\s\S]*\/Type\s*\/Page\b/);
      await toPairs(page, all.batch);
      await rows(page, ERASED, COPIED).first().getByRole('link').first().click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save evidence' }).first().click(),
      ]);
      assert.match(download.suggestedFilename(), /\.zip$/);
    });

    const noFirefox = existsSync(FIREFOX) ? false : 'firefox-esr is not installed';
    it('works in Firefox too', { skip: noFirefox }, async () => {
      const file = join(temporary('picked'), 'few.zip');
      const few = CLASS.slice(60, 66);
      writeFileSync(file, pack(few.map((one, i) => [one, { 'Task.java': program(60 + (i >> 1)) }])));
      await Teacher.at(all.proxy.address, async (ivo) => {
        await ivo.logIn('Ivo Marić', PASSWORD);
        await ivo.compare('Programming 1', file);
        await ivo.sees('6 submissions compared');
        await ivo.acquits(all.batch, CLASS[9]!.name);
        await ivo.shares(all.batch, 'a red kettle');
        await ivo.sees('302 submissions compared');
      });
      const { page } = all.mei;
      await toPairs(page, all.batch);
      await page.getByText('Ivo Marić: innocent').first().waitFor();
    });

    it('answers a client of MOSS', async () => {
      const { page } = all.ivo;
      await page.goto('');
      const id = await page.evaluate(async () => (await (await fetch('api/v1/me')).json()).user.moss_id);
      const files = ['ann', 'bo', 'cy'].map((name, i): [string, string] => [
        `${name}.java`,
        program(i < 2 ? 5 : 6),
      ]);
      const address = await asked(all.moss, id, files);
      await all.disturb();
      const guest = await open(browser, all.proxy.address);
      await guest.page.goto(address);
      await guest.page.getByText('ann.java').first().waitFor();
      await guest.page.getByText('bo.java').first().waitFor();
      await guest.context.close();
    });

    it('is entered from a learning platform, out of a frame of its page', async () => {
      const platform = await Platform.start(all.proxy.address);
      const add = ['serve', 'platform', 'add', 'Campus', '--data', join(all.folder, 'data')];
      execFileSync(fanmill(), [...add, ...platform.registration]);
      const uma = await open(browser, all.proxy.address, {}, [platform.address]);
      await uma.page.goto(platform.address);
      const opened = uma.page.waitForEvent('popup');
      await uma.page.frameLocator('iframe').getByRole('link', { name: 'Open' }).click();
      const page = await opened;
      await heading(page, 'Compilers 2');
      await all.disturb();
      await upload(
        page,
        'From the campus',
        zip('few.zip', term(CLASS.slice(100, 109), '').zip),
        'Upload and compare',
      );
      await all.compared(page);
      assert.deepEqual(uma.complaints, []);
      await uma.context.close();
      platform.stop();
    });

    it('names what cannot be searched for a student, and deletes it', async () => {
      const { page } = all.ada;
      await toCourse(page);
      await upload(page, 'Broken', zip('broken.zip', Buffer.from('no archive')), 'Upload and compare');
      await all.compared();
      await page.goto('');
      await page.getByText('One student’s data').click();
      await page.getByLabel('Student').fill('Zzyzx Nobody');
      await page.getByRole('button', { name: 'Erase this student' }).click();
      await page.getByLabel(/To confirm/).fill('Zzyzx Nobody');
      await page.getByRole('button', { name: 'Erase this student' }).click();
      await page.getByText('These batches cannot be searched').waitFor();
      await page.getByRole('button', { name: 'Delete this batch' }).click();
      await page.getByLabel('To confirm, type “Broken”').fill('Broken');
      await page.getByRole('button', { name: 'Delete this batch' }).click();
      await page.getByText('These batches cannot be searched').waitFor({ state: 'detached' });
      await toCourse(page);
      assert.equal(await page.getByRole('link', { name: 'Broken' }).count(), 0);
    });

    it('gives out one student’s data, and erases it from the disk', async () => {
      const { page } = all.ada;
      const data = join(all.folder, 'data');
      const words = [ERASED.name, `_${ERASED.id}_`, ERASED.mail, SENTENCE];
      assert.ok(traces(data, words).length > 0, 'it is there before');
      await page.goto('');
      await page.getByText('One student’s data').click();
      await page.getByLabel('Student').fill(ERASED.mail);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as zip' }).click(),
      ]);
      const given = join(temporary('given'), 'person.zip');
      await download.saveAs(given);
      const unpacked = execFileSync('python3', ['-m', 'zipfile', '-l', given]).toString();
      assert.match(unpacked, /Task\.java/);
      rmSync(given);
      await page.getByRole('button', { name: 'Erase this student' }).click();
      await page
        .getByLabel(/type|name/i)
        .last()
        .fill(ERASED.mail);
      await page.getByRole('button', { name: /erase/i }).last().click();
      await page.getByText(`${ERASED.mail} is being erased`).waitFor();
      await all.kill();
      await until(page, async () => {
        const shown = await page.request.get(`api/v1${all.pathOf(all.batch)}`);
        return (await shown.json()).state === 'done';
      });
      await until(page, async () =>
        (await (await page.request.get('metrics')).text()).includes('fanmill_removals_waiting 0\n'),
      );
      assert.deepEqual(traces(data, words), []);
      await toPairs(page, all.batch);
      assert.equal(await page.getByText(ERASED.name).count(), 0);
      await page.goto(all.batch);
      assert.match(await result(page), /SUBMISSIONS 301/i);
    });

    it('is backed up while it runs, and restored on a new machine', async () => {
      const { page } = all.ada;
      const copy = join(temporary('backup'), 'copy');
      execFileSync(fanmill(), ['serve', 'backup', copy, '--data', join(all.folder, 'data')]);
      assert.deepEqual(traces(copy, [ERASED.name, SENTENCE]), []);
      await all.stop();
      const machine = temporary('machine');
      cpSync(copy, join(machine, 'data'), { recursive: true });
      await all.start(machine);
      await page.goto('login');
      await toPairs(page, all.batch);
      await rows(page, CLASS[9]!, LATE[0]!).first().waitFor();
      await page.goto('users');
      await page.getByText('Ivo Marić').waitFor();
    });

    it('is put away', async () => {
      const { page } = all.ada;
      // A comparison that is held is stopped; should one have ended before, another is begun.
      await page.goto(all.batch);
      await page.getByText(/^Settings – /).click();
      for (let held = null; held === null;) {
        const ran = page.waitForResponse((answer) => answer.url().endsWith('/run'));
        await page.getByRole('button', { name: 'Run again' }).click();
        await ran;
        await until(page, async () => {
          held = jobOf(all.program.pid);
          if (held !== null) process.kill(held, 'SIGSTOP');
          const shown = await page.request.get(`api/v1${all.pathOf(all.batch)}`);
          return held !== null || (await shown.json()).state === 'done';
        });
      }
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByText('It was cancelled.').waitFor();
      await page.getByRole('button', { name: 'Delete this batch' }).click();
      await page.getByLabel(/To confirm/).fill('Week 3');
      await page.getByRole('button', { name: 'Delete this batch' }).click();
      await heading(page, 'Programming 1');

      await page.goto('account');
      await page.getByRole('textbox', { name: 'Used for' }).fill('Grading');
      await page.getByRole('button', { name: 'Make a token' }).click();
      await page.getByRole('button', { name: 'Revoke the token Grading' }).click();
      await page.getByText('no longer works').first().waitFor();
      await page.getByRole('button', { name: 'Make another id' }).click();
      await page.getByText('The id before no longer works.').waitFor();
      await page.getByLabel('Old password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('New password', { exact: true }).fill(`${PASSWORD} 2`);
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('Your new password works from now on.').waitFor();

      await page.goto('users');
      await page.getByRole('button', { name: /Mei/ }).first().click();
      await page.getByLabel('One-time link for Mei', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Remove Mei' }).click();
      await page.getByRole('button', { name: 'Remove this user' }).click();
      await page.getByLabel(/To confirm/).fill('Mei');
      await page.getByRole('button', { name: 'Remove this user' }).click();
      await page.getByText('Mei', { exact: true }).waitFor({ state: 'detached' });

      await toCourse(page);
      await page.getByRole('button', { name: 'Delete this course' }).click();
      await page.getByLabel(/To confirm/).fill('Programming 1');
      await page.getByRole('button', { name: 'Delete this course' }).click();
      await heading(page, 'Courses');
      await page.getByRole('button', { name: 'Log out' }).click();
      await heading(page, 'Log in');
    });

    it('has used every route that changes something, but those that no page has', async () => {
      const { page } = all.ada;
      const { paths } = await (await page.request.get('api/v1/openapi.json')).json();
      const known = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods)
          .filter((method) => method !== 'get')
          .map((method) => `${method.toUpperCase()} ${path}`),
      );
      // Platforms are registered by the command, and send notices themselves.
      const elsewhere = /platforms|notices/;
      const used = all.changes();
      const unused = known.filter((route) => !elsewhere.test(route) && !used.has(route));
      assert.ok(known.length > 25, `${known}`);
      assert.deepEqual(unused, []);
    });

    it('complains of nothing', () => {
      // While the program is killed, the proxy answers, or ends an answer.
      const gone = /status of 50[234]|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/;
      const own = ({ complaints }: Open) => complaints.filter((one) => !gone.test(one));
      assert.deepEqual([all.ada, all.ivo, all.mei].map(own), [[], [], []]);
    });
  });
}
