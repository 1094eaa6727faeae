// The browser that tests and screenshots use: the system's own Chromium, without any of its services.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** A page that remembers what must not happen. */
export interface Watched {
  page: Page;
  context: BrowserContext;
  /** Errors, warnings and refusals in the console, and errors nobody caught. */
  complaints: string[];
  /** Requests for anything that is not a file below the report's folder. */
  strays: string[];
  /** Dialogs that opened: a script from a text that ran would open one. */
  dialogs: string[];
}

export interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
}

export async function watch(browser: Browser, folder: string, look: Look = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1400, height: look.height ?? 900 },
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  // The tests' own compiler calls this in functions that run in the page.
  await context.addInitScript('globalThis.__name = (named) => named');
  const page = await context.newPage();
  const watched: Watched = { page, context, complaints: [], strays: [], dialogs: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) watched.complaints.push(message.text());
  });
  page.on('pageerror', (error) => watched.complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    watched.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const ours = request.url().startsWith(`file://${folder}/`) || request.url().startsWith('blob:');
    if (!ours) watched.strays.push(request.url());
  });
  return watched;
}

export const address = (folder: string, hash = '') => `file://${folder}/index.html${hash}`;
