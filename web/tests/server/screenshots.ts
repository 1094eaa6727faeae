// Makes screenshots of the service's views, light and dark, at desk and phone width, from a server in memory:
// npm run screenshots:server -- <folder for the pictures> [<language>]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Key } from '../../src/logic/wording.ts';
import { launch } from '../browser.ts';
import { wordsOf } from '../words.ts';
import { Mock } from './mock.ts';
import { furnished, logIn, open } from './page.ts';

const [out = 'screenshots/server', locale = 'en'] = process.argv.slice(2);
const words = wordsOf(locale);
const named = (key: Key) => ({ name: words.say(key) });
mkdirSync(out, { recursive: true });
const mock = new Mock();
const fresh = new Mock();
const address = await mock.start();
const freshAddress = await fresh.start();
fresh.firstLink();
const { views } = furnished(mock);
const browser = await launch();
for (const [size, width, height] of [
  ['desk', 1400, 900],
  ['phone', 390, 844],
] as const) {
  for (const dark of [false, true]) {
    const look = { width, height, dark, locale };
    const take = async (page: Awaited<ReturnType<typeof open>>['page'], name: string) => {
      await page.waitForTimeout(200);
      await page.screenshot({
        path: join(out, `${name}-${size}-${dark ? 'dark' : 'light'}.png`),
        fullPage: true,
      });
    };
    const nobody = await open(browser, freshAddress, look);
    for (const [name, path] of [
      ['new-server', '/'],
      ['setup', '/setup/first-secret'],
    ] as const) {
      await nobody.page.goto(path);
      await nobody.page.waitForSelector('main h1');
      await take(nobody.page, name);
    }
    await nobody.context.close();
    const { page, context, complaints } = await open(browser, address, look);
    await page.goto('/');
    await page.getByRole('button', named('log-in')).waitFor();
    await take(page, 'login');
    await logIn(page, undefined, '/', words);
    for (const [name, path] of Object.entries(views)) {
      await page.goto(path);
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      await take(page, name);
      if (name === 'empty-course') {
        await page.getByText(`${words.say('settings-label')} ${words.say('settings-usual')}`).click();
        await page
          .locator('input[type=file]')
          .nth(1)
          .setInputFiles([
            { name: 'ada.py', mimeType: 'text/plain', buffer: Buffer.from('a') },
            { name: 'bob.py', mimeType: 'text/plain', buffer: Buffer.alloc(2300) },
          ]);
        await take(page, 'upload');
      }
      if (name === 'done') {
        await page.getByRole('button', named('make-link')).click();
        await page.getByRole('button', named('copy')).waitFor();
        await page.getByRole('button', named('delete-batch')).click();
        await take(page, 'shared');
      }
    }
    await page.goto('/courses/none-such');
    await page.goto(views.users);
    await page.getByLabel(words.say('name')).waitFor();
    mock.expire();
    await page.getByLabel(words.say('name')).fill('Zoë');
    await page.getByRole('button', named('add')).click();
    await page.locator('dialog').waitFor();
    await take(page, 'ended');
    for (const complaint of complaints) console.error(complaint);
    await context.close();
  }
}
await browser.close();
await mock.stop();
await fresh.stop();
