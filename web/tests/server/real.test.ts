// The program itself in a browser: a teacher's way from the first start to an expired link, and a login by another service.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch, shownAddress, until } from '../browser.ts';
import { ROOT, temporary } from '../write.ts';
import { faults } from './axe.ts';
import { logIn, open, PASSWORD } from './page.ts';
import { Program } from './program.ts';
import { AUTHORITY, CLIENT, Login } from './provider.ts';

const EXAMPLE = join(ROOT, 'examples/assignment');
let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();

/** A link to a batch's report that works for so many seconds. */
const linkFor = (page: Page, seconds: number): Promise<string> =>
  page.evaluate(async (lasts) => {
    const { csrf } = await (await fetch('/api/v1/me')).json();
    const expires = new Date(Date.now() + 1000 * lasts).toISOString();
    const made = await fetch(`/api/v1${location.pathname}/links`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf },
      body: JSON.stringify({ expires }),
    });
    return (await made.json()).url as string;
  }, seconds);

async function uploaded(page: Page): Promise<void> {
  await page.getByText('Start with a course').waitFor();
  await page.getByLabel('Name').fill('Programming 1');
  await page.keyboard.press('Enter');
  await heading(page, 'Programming 1');
  const inputs = page.locator('input[type=file]');
  await inputs.nth(0).setInputFiles(join(EXAMPLE, 'submissions'));
  await page.getByLabel('Title').fill('Week 3');
  await page.getByText('Boilerplate – code or text').click();
  await inputs.nth(2).setInputFiles(join(EXAMPLE, 'handout'));
  await page.getByRole('button', { name: 'Upload and compare' }).click();
  await heading(page, 'Week 3');
}

describe('the program in a browser', () => {
  it('leads from the first start over upload, report and marks to a link that expires', async () => {
    const program = await Program.start();
    const { page, context, complaints } = await open(browser, program.address);
    const found: string[] = [];
    await page.goto(program.first);
    await heading(page, 'Set up this server');
    await page.getByLabel('Your name').fill('Ada Lindqvist');
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up' }).click();
    await heading(page, 'Courses');
    await page.getByRole('button', { name: 'Log out' }).click();
    await heading(page, 'Log in');
    found.push(...(await faults(page, 'login')));
    await logIn(page);
    await uploaded(page);
    const report = page.getByRole('link', { name: 'Open the report' });
    await report.waitFor();
    found.push(...(await faults(page, 'batch')));

    await page.getByRole('button', { name: 'Make a link' }).click();
    const shared = await page.getByLabel('Link to the report').inputValue();
    const batch = await shownAddress(page);
    await report.click();
    await heading(page, '13 submissions compared');
    await page.goto(`${batch}/report/#/pairs?t=0`);
    await page.locator('tr.row').first().waitFor();
    const first = page.locator('tr[data-row="0"]');
    assert.match(await first.innerText(), /hana[\s\S]*ivo/);
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await first.focus();
    await page.keyboard.press('c');
    assert.equal((await saved).status(), 204);
    await page.reload();
    assert.equal(await first.locator('select').inputValue(), 'copied');
    await page.getByText('You review as Ada Lindqvist').waitFor();

    const guest = await open(browser, program.address);
    await guest.page.goto(`${shared}#/pairs?t=0`);
    await guest.page.locator('tr.row').first().waitFor();
    assert.match(await guest.page.locator('tr[data-row="0"]').innerText(), /hana[\s\S]*ivo/);
    // A visitor sees no marks, and makes none, since nobody would keep them.
    assert.equal(await guest.page.locator('tr.row select').count(), 0);
    assert.equal(await guest.page.getByRole('columnheader', { name: 'Mark' }).count(), 0);
    assert.equal(await guest.page.getByRole('button', { name: /marks/i }).count(), 0);
    // From the report back to where it belongs.
    await page
      .getByRole('navigation', { name: 'Where the report belongs' })
      .getByText('Programming 1')
      .click();
    await heading(page, 'Programming 1');
    await page.getByText(/deleted 180\sdays after the upload.* “Week 3”, on \d/s).waitFor();
    await page.goto(`${batch}/report/`);
    await page.getByRole('navigation', { name: 'Where the report belongs' }).getByText('Week 3').click();
    await heading(page, 'Week 3');

    // A link with a password opens, and not with a wrong one.
    await page.getByLabel('Password (optional)', { exact: true }).fill('a red kettle');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await until(page, async () => (await page.getByLabel('Link to the report').inputValue()) !== shared);
    await guest.page.goto(await page.getByLabel('Link to the report').inputValue());
    for (const [password, shown] of [
      ['a red lamp', 'The password is wrong.'],
      ['a red kettle', '13 submissions compared'],
    ] as const) {
      await heading(guest.page, 'A shared report');
      await guest.page.getByLabel('Password').fill(password);
      await guest.page.getByRole('button', { name: 'Open' }).click();
      await guest.page.getByText(shown).first().waitFor();
    }

    // A reader sees the marks of teachers, and has no control to change them.
    await page.goto('/users');
    await page.getByLabel('Name').fill('Mei');
    await page.getByLabel('Role', { exact: true }).selectOption('reader');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const invited = await page.getByLabel('One-time link for Mei', { exact: true }).inputValue();
    const mei = await open(browser, program.address);
    await mei.page.goto(invited);
    await mei.page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await mei.page.getByRole('button', { name: 'Save and log in' }).click();
    await heading(mei.page, 'Courses');
    await page.goto(new URL(batch).pathname);
    await page.getByRole('link', { name: 'Programming 1' }).click();
    await heading(page, 'Programming 1');
    await page.getByLabel('Add somebody by name').fill('Mei');
    await page.getByLabel('As', { exact: true }).selectOption('reader');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Mei is now a member.').waitFor();
    await mei.page.goto(`${batch}/report/#/pairs?t=0`);
    await mei.page.getByText('You see what the course’s teachers have marked.').waitFor();
    await mei.page.getByText('Ada Lindqvist: copied').first().waitFor();
    assert.equal(await mei.page.locator('main select[aria-label^="Your mark"], main input.note').count(), 0);
    await mei.page.keyboard.press('c');
    await mei.page.goto(batch);
    await heading(mei.page, 'Week 3');
    assert.equal(await mei.page.getByRole('button', { name: /Make a link|Run again|Delete/ }).count(), 0);
    assert.deepEqual(mei.complaints, []);
    await mei.context.close();

    await page.goto(batch);
    await page.getByText('opened 1 time').first().waitFor();
    const brief = await linkFor(page, 5);
    assert.equal((await guest.page.goto(brief))!.status(), 200);
    await guest.page.getByText('13 submissions compared').first().waitFor();
    // Asked without a page: one that is still loading when its link expires would complain.
    while ((await guest.page.request.get(brief)).status() === 200) await guest.page.waitForTimeout(200);
    assert.equal((await guest.page.goto(brief))!.status(), 404);
    await heading(guest.page, 'This link does not work');
    found.push(...(await faults(guest.page, 'expired link', 'free')));
    assert.equal((await guest.page.goto(new URL(batch).pathname))!.status(), 200);
    await heading(guest.page, 'Log in');

    await page.getByText('Settings').last().click();
    await page.getByLabel('Pseudonyms in the report').check();
    const ran = page.waitForResponse((answer) => answer.url().endsWith('/run'));
    await page.getByRole('button', { name: 'Run again' }).click();
    assert.equal((await ran).status(), 202);
    await until(page, () =>
      page.evaluate(async () => {
        const shown = await (await fetch(`/api/v1${location.pathname}`)).json();
        return shown.state === 'done' && shown.settings.anonymous === true;
      }),
    );
    await page.goto(`${batch}/report/#/pairs?t=0`);
    await page.locator('tr.row').first().waitFor();
    assert.doesNotMatch(await page.locator('body').innerText(), /hana/);
    await page.goto(batch);
    await page.getByRole('button', { name: 'Add to the archive' }).click();
    await page.getByText('are in the course’s archive').waitFor();
    assert.deepEqual([found, complaints, guest.complaints], [[], [], []]);
    await guest.context.close();
    await context.close();
    await program.stop();
  });

  it('logs people in by another service, over TLS', async () => {
    const login = await Login.start();
    const secret = join(temporary('secret'), 'client-secret');
    writeFileSync(secret, CLIENT.client_secret);
    const program = await Program.start(
      `passwords = false
       [serve.oidc]
       name = "University"
       issuer = "${login.issuer}"
       client-id = "${CLIENT.client_id}"
       client-secret-file = "${secret}"
       newcomers = "reader"`,
      { SSL_CERT_FILE: AUTHORITY },
    );
    login.register(program.address);
    const enter = async (page: Page, who: string) => {
      await page.getByRole('link', { name: 'Log in with University' }).click();
      await page.getByLabel('Who').fill(who);
      await page.keyboard.press('Enter');
    };
    const ada = await open(browser, program.address, {}, [login.issuer]);
    await ada.page.goto(program.first);
    await heading(ada.page, 'Set up this server');
    const found = await faults(ada.page, 'setup by a service');
    await enter(ada.page, 'ada');
    await heading(ada.page, 'Courses');
    await ada.page.goto('/users');
    await ada.page.getByText('ada@example.edu').waitFor();
    await ada.page.getByText('Administrator, you').waitFor();

    const mei = await open(browser, program.address, {}, [login.issuer]);
    await mei.page.goto('/account');
    await heading(mei.page, 'Log in');
    found.push(...(await faults(mei.page, 'login by a service')));
    await enter(mei.page, '');
    await heading(mei.page, 'You are not logged in');
    found.push(...(await faults(mei.page, 'denied', 'free')));
    await mei.page.getByRole('link', { name: 'Log in' }).click();
    await enter(mei.page, 'mei');
    await heading(mei.page, 'Courses');
    await mei.page.goto('/account');
    await mei.page.getByText('mei of the university, reader').waitFor();
    await mei.page.getByText('You log in with University.').waitFor();
    found.push(...(await faults(mei.page, 'account of a service')));
    assert.deepEqual([found, ada.complaints, mei.complaints, login.faults], [[], [], [], []]);
    await ada.context.close();
    await mei.context.close();
    await program.stop();
    await login.stop();
  });
});
