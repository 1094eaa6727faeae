// The service's page from its first start to a deleted batch, and when things go wrong.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch, until } from '../browser.ts';
import { ROOT, temporary } from '../write.ts';
import { Mock, type Options } from './mock.ts';
import { furnished, logIn, open, PASSWORD } from './page.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function served(options: Options, act: (mock: Mock, address: string) => Promise<void>): Promise<void> {
  const mock = new Mock(options);
  const address = await mock.start();
  try {
    await act(mock, address);
  } finally {
    await mock.stop();
  }
}

/** A folder as a learning platform exports it. */
function assignment(): string {
  const folder = join(temporary('upload'), 'week 3');
  for (const name of ['ada', 'bob', 'cem/src']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'main.py'), `print("${name}")\n`.repeat(40));
  }
  return folder;
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? 'none');
const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const alert = (page: Page) => page.getByRole('alert').innerText();

describe('the one file', () => {
  it('has just one script and one style sheet, and the policy names their hashes', () => {
    const folder = join(ROOT, 'crates/fanmill-server/src/app');
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const policy = readFileSync(join(folder, 'csp.txt'), 'utf8');
    for (const kind of ['script', 'style']) {
      const found = [...page.matchAll(new RegExp(`<${kind}>(.*?)</${kind}>`, 'gs'))];
      assert.equal(found.length, 1);
      const hash = createHash('sha256').update(found[0]![1]!).digest('base64');
      assert.ok(policy.includes(`${kind}-src 'sha256-${hash}'`), kind);
    }
    assert.doesNotMatch(policy, /unsafe|\n/);
    assert.doesNotMatch(page, /<(script|link)[^>]+(src|href)="(?!data:)/);
  });
});

describe('a teacher’s way', () => {
  it('leads from the first start over upload, report and link to deletion', async () => {
    await served({ tick: 150 }, async (mock, address) => {
      const link = mock.firstLink();
      const { page, context, complaints } = await open(browser, address);

      await page.goto('/');
      await heading(page, 'This server is new');
      await page.goto(link);
      await heading(page, 'Set up this server');
      await page.getByLabel('Your name').fill('Ada Lindqvist');
      await page.getByLabel('New password', { exact: true }).fill('short');
      await page.getByRole('button', { name: 'Set up' }).click();
      assert.match(await alert(page), /^The password has 5 characters, and at least 10 are needed\.$/);
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await heading(page, 'Courses');
      assert.equal(await page.evaluate(() => location.pathname), '/');
      assert.notEqual(await focused(page), 'BODY');

      await page.getByRole('button', { name: 'Log out' }).click();
      await heading(page, 'Log in');
      await logIn(page);
      await page.getByText('Start with a course').waitFor();
      await page.getByLabel('Name').fill('Programming 1');
      await page.keyboard.press('Enter');
      await heading(page, 'Programming 1');
      assert.notEqual(await focused(page), 'BODY');

      await page.getByRole('button', { name: 'Upload and compare' }).click();
      const inputs = page.locator('input[type=file]');
      await inputs.nth(0).setInputFiles(assignment());
      await page.getByText('3 files').waitFor();
      await page.getByText('ada, bob, cem').waitFor();
      assert.equal(await page.getByLabel('Title').inputValue(), 'week 3');
      await page.getByText('Boilerplate – code or text').click();
      await inputs
        .nth(3)
        .setInputFiles([{ name: 'given.py', mimeType: 'text/plain', buffer: Buffer.from('print()\n') }]);
      await page.getByText('Settings – the usual ones').click();
      await page.getByLabel('Language').focus();
      await page.locator('datalist option[value=java]').waitFor({ state: 'attached' });
      await page.getByLabel('Boilerplate if in more than').fill('30 %');
      await page.getByLabel('Shortest match').fill('12');
      await page.getByText('Settings – 2 other than usual').waitFor();
      await page.getByRole('button', { name: 'Upload and compare' }).click();
      await heading(page, 'week 3');
      const [batch] = mock.batches.values();
      assert.deepEqual(batch!.files.sort(), [
        'week 3/ada/main.py',
        'week 3/bob/main.py',
        'week 3/cem/src/main.py',
      ]);
      assert.deepEqual(batch!.base, ['given.py']);
      assert.deepEqual(batch!.settings, {
        group_by: 'auto',
        quotes: false,
        anonymous: false,
        noise: 12,
        max_docs: '30%',
      });

      await page.getByText(/Comparing: \d of 3/).waitFor();
      const report = page.getByRole('link', { name: 'Open the report' });
      await report.waitFor();
      assert.ok(mock.log.includes(`GET /batches/${batch!.id}/events 200`), 'it was told by events');
      await report.click();
      await heading(page, 'Report of 3 files');
      await page.goBack();

      await page.getByLabel('Password (optional)', { exact: true }).fill('tulip');
      await page.getByRole('button', { name: 'Make a link' }).click();
      const shared = await page.getByLabel('Link to the report').inputValue();
      assert.match(shared, new RegExp(`^${address}/s/[0-9a-f]{32}/$`));
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByText(/^Copied\.$|It is selected/).waitFor();
      await page.getByRole('button', { name: 'I have kept it' }).click();
      await page.waitForFunction(() => document.activeElement !== document.body);
      assert.equal(await page.getByText(shared).count(), 0);
      const guest = await open(browser, address);
      await guest.page.goto(shared);
      await guest.page.getByLabel('Password').fill('tulip');
      await guest.page.getByRole('button', { name: 'Open' }).click();
      await heading(guest.page, 'Shared report');
      await page.getByRole('button', { name: /^Revoke the link/ }).click();
      await page.getByText('The link no longer works.').waitFor();
      assert.equal((await guest.page.goto(shared))!.status(), 404);
      await guest.context.close();

      await page.getByRole('button', { name: 'Add to the archive' }).click();
      await page.getByText('are in the course’s archive').waitFor();
      await page.getByRole('button', { name: 'Delete this batch…' }).click();
      await page.getByLabel(/^To confirm/).fill('week');
      await page.keyboard.press('Enter');
      assert.match(await alert(page), /not the name yet/);
      assert.equal(mock.batches.size, 1);
      await page.getByLabel(/^To confirm/).fill('week 3');
      await page.getByRole('button', { name: 'Delete this batch' }).click();
      await page.getByText('Your first batch').waitFor();
      assert.equal(mock.batches.size, 0);
      assert.notEqual(await focused(page), 'BODY');
      assert.deepEqual(complaints, []);
      await context.close();
    });
  });

  it('asks before it compares, and takes late submissions into the same batch', async () => {
    await served({ tick: 60 }, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ivo Marić', views.course);
      mock.paused = false;
      await page.getByRole('button', { name: 'New batch' }).click();
      await page.locator('input[type=file]').nth(0).setInputFiles(assignment());
      await page.getByLabel('Title').fill('Week 9');
      await page.getByRole('button', { name: 'Upload and check' }).click();
      await heading(page, 'Week 9');
      await page.getByText('Is that right?').waitFor();
      const asked = await page.getByRole('region', { name: 'Result' }).innerText();
      assert.match(asked, /48 people by Moodle names with 1 file or folder each\. 1 file was left out\./);
      assert.doesNotMatch(asked, /pairs? listed|best score|stands? out/i, 'nothing was compared');
      assert.equal(await page.getByRole('link', { name: 'Open the report' }).count(), 0);
      await page.getByText('Waits for you').first().waitFor();

      // Read in another way, it asks again.
      await page.getByText('Settings – the usual ones').click();
      await page.getByLabel('One submission is').selectOption('root');
      await page
        .getByText(
          'What changes: one submission: Each chosen folder or archive as a whole instead of Decide from what I choose.',
        )
        .waitFor();
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.getByText('Is that right?').waitFor();
      await page.getByRole('button', { name: 'Yes, compare' }).click();
      await page.getByRole('link', { name: 'Open the report' }).waitFor();
      const batch = [...mock.batches.values()].find(({ title }) => title === 'Week 9')!;
      assert.equal(batch.settings.group_by, 'root');

      const late = page.locator('section').filter({ hasText: 'They join this batch' });
      await late.getByRole('button', { name: 'Add to this batch' }).click();
      assert.match(await alert(page), /Choose the late submissions first/);
      await late
        .locator('input[type=file]')
        .nth(1)
        .setInputFiles([{ name: 'dia.py', mimeType: 'text/plain', buffer: Buffer.from('print()\n') }]);
      await late.getByRole('button', { name: 'Add to this batch' }).click();
      await page.getByText('Added: dia.py.').waitFor();
      await page.getByText('Is that right?').waitFor();
      await page.getByRole('button', { name: 'Yes, compare' }).click();
      await page.getByRole('link', { name: 'Open the report' }).waitFor();
      assert.equal(batch.files.length, 4);
      await context.close();
    });
  });

  it('works without events too, cancels, and runs again with other settings', async () => {
    await served({ tick: 100, events: false }, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ivo Marić', views.running);
      await page.getByText('Comparing: 31 of 48').waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByText('It was cancelled.').waitFor();
      await page.getByText('Settings – the usual ones').click();
      await page.getByLabel('Shortest match').fill('30');
      await page.getByLabel('Always found').fill('20');
      await page.getByRole('button', { name: 'Run again' }).click();
      assert.match(
        await alert(page),
        /^Guarantee threshold 20 is below noise threshold 30 \(tokens\); raise the one/,
      );
      await page.getByLabel('Always found').fill('40');
      mock.paused = false;
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.getByRole('link', { name: 'Open the report' }).waitFor();
      await context.close();
    });
  });

  it('follows what was begun although the server cannot be reached just then', async () => {
    await served({ tick: 100 }, async (mock, address) => {
      const { views } = furnished(mock);
      mock.paused = false;
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ivo Marić', views.failed);
      await page.getByText(/^Settings – /).click();
      // From the answer that it is begun on, three questions find a proxy alone.
      let left = 3;
      await page.route('**/api/v1/batches/*', (route) =>
        left-- > 0 ? route.fulfill({ status: 502, body: '' }) : route.continue(),
      );
      await page.route('**/events', (route) => route.abort());
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.getByRole('link', { name: 'Open the report' }).waitFor();
      assert.ok(left <= 0);
      assert.equal(await page.getByRole('alert').count(), 0);
      await context.close();
    });
  });

  it('asks once more where events have ended without a word', async () => {
    await served({}, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await page.clock.install();
      await logIn(page, 'Ivo Marić', views.running);
      await page.getByText('Comparing: 31 of 48').waitFor();
      // As after a laptop has slept: the connection is there, and nobody is at its other end.
      const batch = mock.batches.get(views.running.split('/').pop()!)!;
      batch.listeners.clear();
      batch.progress = { step: 'comparing', done: 47, total: 48 };
      await page.clock.runFor(10_000);
      assert.equal(await page.getByText('Comparing: 47 of 48').count(), 0);
      await page.clock.runFor(21_000);
      await page.getByText('Comparing: 47 of 48').waitFor();
      await context.close();
    });
  });

  it('says what was compared and found, and is green only then', async () => {
    await served({}, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page);
      const chip = page.locator('main header .chip');
      const colours = new Set<string>();
      for (const [name, state, text] of [
        ['done', 'Finished', /submissions 48 pairs listed 20 stand out 3 best score 0\.87 .* Moodle names/],
        ['part', 'Compared in part', /9 submissions of 48 were not compared in full/],
        ['cut', 'Compared in part', /An upload was not read to its end, so submissions may be missing/],
        ['older', 'Finished', /Open the report/],
        ['nothing', 'Nothing compared', /Nothing to compare: board\.png is the only submission/],
      ] as const) {
        await page.goto(views[name]);
        await chip.waitFor();
        assert.equal(await chip.innerText(), state);
        assert.match((await page.locator('main').innerText()).replace(/\s+/g, ' '), text);
        colours.add(await chip.evaluate((element) => getComputedStyle(element).backgroundColor));
      }
      // Green, amber for two, grey, and red.
      assert.equal(colours.size, 4);
      await page.goto(views.course);
      await page.getByText('48 submissions, 20 pairs listed, 3 stand out, best score 0.87').first().waitFor();
      await page.getByText('board.png is the only submission').waitFor();
      await context.close();
    });
  });

  it('takes folders that are dropped, with their paths', async () => {
    await served({}, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ada Lindqvist', views['empty-course']);
      await page.getByText('or drop them here').first().waitFor();
      // Browsers let no script make folders to drop, so the entries are made up.
      await page.evaluate(() => {
        const file = (path: string) => ({
          isFile: true,
          fullPath: path,
          file: (done: (file: File) => void) => done(new File(['x'.repeat(10)], path.split('/').at(-1)!)),
        });
        const folder = (path: string, inside: unknown[]) => ({
          isDirectory: true,
          fullPath: path,
          createReader: () => {
            const batches = [inside.slice(0, 100), inside.slice(100), []];
            return { readEntries: (done: (some: unknown[]) => void) => done(batches.shift() ?? []) };
          },
        });
        const students = Array.from({ length: 150 }, (_, i) =>
          folder(`/w/s${i}`, [file(`/w/s${i}/a.py`), folder(`/w/s${i}/lib`, [file(`/w/s${i}/lib/b.py`)])]),
        );
        const event = new Event('drop', { bubbles: true, cancelable: true });
        const items = [{ webkitGetAsEntry: () => folder('/w', students) }];
        Object.defineProperty(event, 'dataTransfer', { value: { items } });
        document.querySelector('.drop')!.dispatchEvent(event);
      });
      await page.getByText('300 files, 3.0 kB').waitFor();
      await page.getByText('s0, s1, s10, s100, s101, s102 and 144 more').waitFor();
      await page.getByRole('button', { name: 'Upload and compare' }).click();
      await heading(page, 'w');
      const sent = [...mock.batches.values()].at(-1)!;
      assert.equal(sent.files.length, 300);
      assert.ok(sent.files.includes('w/s149/lib/b.py'));
      await context.close();
    });
  });

  it('gives out what one student handed in, and erases it', async () => {
    await served({}, async (mock, address) => {
      furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ada Lindqvist', '/');
      await page.getByText('One student’s data').click();
      await page.getByLabel('Student', { exact: true }).fill('Nobody');
      await page.getByRole('button', { name: 'Export as zip' }).click();
      assert.match(await alert(page), /^Nothing was handed in by Nobody\.$/);
      await page.getByLabel('Student', { exact: true }).fill('Mei');
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export as zip' }).click();
      assert.equal((await coming).suggestedFilename(), 'person.zip');
      await page.getByRole('button', { name: 'Erase this student…' }).click();
      await page.getByLabel('To confirm, type “Mei”').fill('Mei');
      await page.getByRole('button', { name: 'Erase this student' }).click();
      await page.getByText('Mei is being erased').waitFor();
      await page
        .getByText('Mei is erased from your courses: 1 batch deleted, 2 batches compared again')
        .waitFor();
      await page.getByText('the name is still in batches/9e1b').waitFor();
      await page.getByText('These batches cannot be searched').waitFor();
      await page.getByRole('link', { name: 'Week 9' }).waitFor();
      await context.close();
    });
  });

  it('adds users and members, and shows their links once', async () => {
    await served({}, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ada Lindqvist', views.users);
      await page.getByLabel('Name').fill('Mei');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      assert.match(await alert(page), /^There is a user called Mei; choose another name\.$/);
      await page.getByLabel('Name').fill('Zoë');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const link = await page.getByLabel('One-time link for Zoë', { exact: true }).inputValue();
      const zoe = await open(browser, address);
      await zoe.page.goto(link);
      await heading(zoe.page, 'Choose your password');
      await zoe.page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await zoe.page.keyboard.press('Enter');
      await heading(zoe.page, 'Courses');
      await zoe.page.goto(views.course);
      await heading(zoe.page, 'There is no such course');
      await page.goto(views.course);
      await page.getByLabel('Add somebody by name').fill('Zoe');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      assert.match(await alert(page), /^No user is called Zoe/);
      await page.getByLabel('Add somebody by name').fill('Zoë');
      await page.getByLabel('As').selectOption('reader');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Zoë is now a member.').waitFor();
      await zoe.page.goto(views.done);
      await zoe.page.getByRole('link', { name: 'Open the report' }).waitFor();
      // A reader looks, and is not shown what only teachers may do.
      assert.equal(await zoe.page.getByRole('button', { name: /Delete|Run again|Make a link/ }).count(), 0);
      await page.getByRole('button', { name: 'Remove Zoë' }).click();
      await page.getByText('Zoë is no longer a member.').waitFor();
      await page.waitForFunction(() => document.activeElement !== document.body);
      await zoe.context.close();
      await context.close();
    });
  });

  it('changes the password, and makes and revokes tokens', async () => {
    await served({}, async (mock, address) => {
      furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ada Lindqvist', '/account');
      await page.getByLabel('Old password', { exact: true }).fill('wrong');
      await page.getByLabel('New password', { exact: true }).fill('another good password');
      await page.getByRole('button', { name: 'Change the password' }).click();
      assert.match(await alert(page), /^The old password is not this one\.$/);
      await page.getByLabel('Old password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('Your new password works from now on.').waitFor();
      await page.getByLabel('Used for').fill('Uploader');
      await page.getByRole('button', { name: 'Make a token' }).click();
      const token = await page.getByLabel('Token “Uploader”').inputValue();
      const asked = () =>
        fetch(`${address}/api/v1/courses`, { headers: { Authorization: `Bearer ${token}` } });
      assert.equal((await asked()).status, 200);
      await page.getByRole('button', { name: 'Revoke the token Uploader' }).click();
      await page.getByText('The token “Uploader” no longer works.').waitFor();
      assert.equal((await asked()).status, 401);
      await page.getByText('the port 7690').waitFor();
      const before = await page.locator('code').last().innerText();
      await page.getByRole('button', { name: 'Make another id' }).click();
      await page.getByText('The id before no longer works.').waitFor();
      assert.notEqual(await page.locator('code').last().innerText(), before);
      await context.close();
    });
  });
});

describe('when something goes wrong', () => {
  it('says that the password is wrong, and how long to wait after too many attempts', async () => {
    await served({}, async (mock, address) => {
      furnished(mock);
      const { page, context } = await open(browser, address);
      await page.goto('/account');
      for (let attempt = 1; attempt <= 6; attempt++) {
        await page.getByLabel('Name', { exact: true }).fill('Ada Lindqvist');
        await page.getByLabel('Password', { exact: true }).fill(`guess ${attempt}`);
        await page.keyboard.press('Enter');
        await until(page, async () => mock.log.filter((line) => line.includes('/login')).length === attempt);
        await page.waitForFunction(
          () => document.activeElement?.getAttribute('autocomplete') === 'current-password',
        );
        const said = attempt < 6 ? 'No account has this name and password' : 'Try again in 30 seconds.';
        await page.getByRole('alert').filter({ hasText: said }).waitFor();
      }
      await context.close();
    });
  });

  it('asks for the password when the session has ended, and goes on where it stopped', async () => {
    await served({}, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ada Lindqvist', views['empty-course']);
      await page.locator('input[type=file]').first().setInputFiles(assignment());
      await page.getByLabel('Title').fill('Kept while the session ends');
      mock.expire();
      await page.getByRole('button', { name: 'Upload and compare' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.waitFor();
      assert.equal(
        await page.evaluate(() => document.activeElement?.getAttribute('autocomplete')),
        'current-password',
      );
      await page.keyboard.press('Escape');
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await heading(page, 'Kept while the session ends');
      // On a fresh load the log-in comes first, and then the same view.
      mock.expire();
      await page.goto(views.done);
      await heading(page, 'Log in');
      await logIn(page, 'Ada Lindqvist', views.done);
      await heading(page, 'Week 2: inventory');
      await context.close();
    });
  });

  it('makes a call again when another tab has changed the CSRF token', async () => {
    await served({}, async (mock, address) => {
      furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page);
      for (const one of mock.sessions.values()) one.csrf = 'changed';
      await page.getByLabel('Name').fill('Compilers');
      await page.keyboard.press('Enter');
      await heading(page, 'Compilers');
      await context.close();
    });
  });

  it('says that an upload is too large, beside the files, and keeps the form', async () => {
    await served({ maxBytes: 5000 }, async (mock, address) => {
      const { views } = furnished(mock);
      const before = mock.batches.size;
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ada Lindqvist', views['empty-course']);
      await page
        .locator('input[type=file]')
        .nth(1)
        .setInputFiles([{ name: 'all.zip', mimeType: 'application/zip', buffer: Buffer.alloc(200_000) }]);
      assert.equal(await page.getByLabel('Title').inputValue(), 'all');
      await page.getByRole('button', { name: 'Upload and compare' }).click();
      const said = page.getByRole('alert');
      await said.waitFor();
      assert.match(await said.innerText(), /^The upload has \d+ bytes, and at most 5000 are taken;/);
      await page.getByText('1 file, 200 kB').waitFor();
      assert.equal(mock.batches.size, before);
      assert.notEqual(await focused(page), 'BODY');
      await context.close();
    });
  });

  it('asks before an upload is lost by a step back, and stays if told so', async () => {
    await served({}, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page);
      await page.getByRole('link', { name: 'Algorithms' }).click();
      await heading(page, 'Algorithms');
      // The upload stands still, as over a slow line.
      let goOn = () => {};
      await page.route('**/batches', async (route) => {
        if (route.request().method() === 'POST') await new Promise<void>((resolve) => (goOn = resolve));
        await route.continue();
      });
      await page.locator('input[type=file]').first().setInputFiles(assignment());
      await page.getByRole('button', { name: 'Upload and compare' }).click();
      await page.getByRole('button', { name: 'Cancel the upload' }).waitFor();
      const asked = page.waitForEvent('dialog').then(async (dialog) => {
        await dialog.dismiss();
        return dialog.message();
      });
      await page.evaluate(() => history.back());
      assert.match(await asked, /^The upload is not finished\./);
      await page.waitForFunction((path) => location.pathname === path, views['empty-course']);
      await page.getByRole('button', { name: 'Cancel the upload' }).click();
      await page.getByText('Upload cancelled.').waitFor();
      await page.getByText('3 files').waitFor();
      goOn();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    });
  });

  it('notices that somebody else has deleted what runs', async () => {
    await served({ events: false }, async (mock, address) => {
      const { views } = furnished(mock);
      const { page, context } = await open(browser, address);
      await logIn(page, 'Ada Lindqvist', views.running);
      await page.getByText('Comparing: 31 of 48').waitFor();
      mock.batches.delete(views.running.split('/').at(-1)!);
      await heading(page, 'There is no such batch');
      assert.notEqual(await focused(page), 'BODY');
      await context.close();
    });
  });

  it('says so when the server is gone', async () => {
    const mock = new Mock();
    const address = await mock.start();
    furnished(mock);
    const { page, context } = await open(browser, address);
    await logIn(page);
    await mock.stop();
    await page.getByLabel('Name').fill('Compilers');
    await page.keyboard.press('Enter');
    assert.match(await alert(page), /^The server does not answer\./);
    await context.close();
  });
});

describe('the service in memory', () => {
  it('refuses as the service does', async () => {
    await served({}, async (mock, address) => {
      const { mei, views } = furnished(mock);
      const call = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
        fetch(address + path, { method, headers, body: body ?? null }).then(({ status }) => status);
      mock.sessions.set('abc', { user: mei.id, csrf: 'c' });
      const cookie = { Cookie: 'fanmill_session=abc' };
      const full = { ...cookie, 'X-CSRF-Token': 'c', 'Content-Type': 'application/json' };
      assert.equal(await call('GET', '/api/v1/courses'), 401);
      assert.equal(await call('POST', '/api/v1/courses', cookie), 403);
      assert.equal(await call('GET', '/api/v1/users', cookie), 403);
      assert.equal(await call('DELETE', `/api/v1${views.done}`, full), 403);
      assert.equal(await call('GET', `/api/v1${views['empty-course']}/batches`, cookie), 404);
      mock.sessions.set('def', { user: [...mock.users.keys()][0]!, csrf: 'd' });
      const ada = { Cookie: 'fanmill_session=def', 'X-CSRF-Token': 'd', 'If-Match': '"9"' };
      assert.equal(await call('PUT', `${views.done}/report/marks`, ada, '{}'), 412);
      assert.equal(await call('PUT', `${views.done}/report/marks`, { ...ada, 'If-Match': '"1"' }, '{}'), 200);
    });
  });
});
