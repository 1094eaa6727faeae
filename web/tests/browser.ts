// The browser that tests and screenshots use: the system's own Chromium, without any of its services.
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** When a test gives up on a page that shows nothing. No test of speed: a busy machine is slow. */
export const PATIENCE = Number(process.env.PATIENCE ?? 4 * 60_000);

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    timeout: PATIENCE,
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
  /** The language that the browser asks for. */
  locale?: string;
  /** False for a page that must do without scripts. */
  scripts?: boolean;
  /** Pixels of the screen for each of the page. */
  zoom?: number;
}

export async function watch(browser: Browser, folder: string, look: Look = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1400, height: look.height ?? 900 },
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    javaScriptEnabled: look.scripts ?? true,
    deviceScaleFactor: look.zoom ?? 1,
    locale: look.locale ?? 'en',
    acceptDownloads: true,
  });
  // The tests' own compiler calls this in functions that run in the page.
  await context.addInitScript('globalThis.__name = (named) => named');
  context.setDefaultTimeout(PATIENCE);
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

/** Waits until the page has painted what it has to. */
export const painted = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Asks the page itself for its address: what Playwright knows of it may be older than a key or a click. */
export const shownAddress = (page: Page) => page.evaluate(() => location.href);

/** Waits until something is so that the page does in its own time, as scrolling: for so many frames. */
export async function until(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  for (let frames = 0; frames < 2000; frames++) {
    if (await isSo()) return;
    await painted(page);
  }
  throw new Error('the page has painted 2,000 frames, and it is not so');
}

/** Counts the processor time that a page's own thread works, whatever else the machine does. */
export class Effort {
  private constructor(
    private readonly session: CDPSession,
    private readonly page: Page,
  ) {}

  static async of({ context, page }: Watched): Promise<Effort> {
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new Effort(session, page);
  }

  /** Milliseconds so far. */
  async total(): Promise<number> {
    const { metrics } = await this.session.send('Performance.getMetrics');
    return 1000 * metrics.find((metric) => metric.name === 'TaskDuration')!.value;
  }

  /** Milliseconds that the page works until `act` is done. */
  async during(act: () => Promise<unknown>): Promise<number> {
    const before = await this.total();
    await act();
    return (await this.total()) - before;
  }

  /** The factor by which this machine is slower now than the quiet one that limits were set on; at least 1. */
  async slowness(): Promise<number> {
    const times: number[] = [];
    for (let i = 0; i < 5; i++)
      times.push(
        await this.during(() =>
          this.page.evaluate(() => {
            const words = Array.from({ length: 60_000 }, (_, i) => `${(i * 48_271) % 60_013} word`);
            return new Map(words.sort().map((word, i) => [word, i])).size;
          }),
        ),
      );
    return Math.max(1, Math.min(...times) / REFERENCE);
  }
}

/** Milliseconds that the work of `slowness` takes on a quiet machine. */
const REFERENCE = 75;

export const address = (folder: string, hash = '') => `file://${folder}/index.html${hash}`;
