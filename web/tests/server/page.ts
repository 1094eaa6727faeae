// What tests and pictures of the service's page have in common.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PATIENCE, type Look } from '../browser.ts';
import { wordsOf } from '../words.ts';
import { Mock, summary } from './mock.ts';

export const PASSWORD = 'correct horse battery';

export interface Open {
  page: Page;
  context: BrowserContext;
  /** Errors in the console and those that nobody caught; answers that are refusals are not among them. */
  complaints: string[];
}

/** Opens a window of its own; of other servers, only those that are `known` may be asked. */
export async function open(
  browser: Browser,
  address: string,
  look: Look = {},
  known: readonly string[] = [],
): Promise<Open> {
  const context = await browser.newContext({
    // With its slash, so that `users` is a path below it, whatever its prefix is.
    baseURL: `${address}/`,
    viewport: { width: look.width ?? 1400, height: look.height ?? 900 },
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: known.length > 0,
    locale: look.locale ?? 'en',
  });
  await context.addInitScript('globalThis.__name = (named) => named');
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (
      ['error', 'warning'].includes(message.type()) &&
      !/^Failed to load resource: .*status of 4/.test(text)
    )
      complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const allowed = [address, ...known, 'data:', 'blob:'];
    if (!allowed.some((start) => request.url().startsWith(start)))
      complaints.push(`asked for ${request.url()}`);
  });
  return { page, context, complaints };
}

const ENGLISH = wordsOf('en');

export async function logIn(page: Page, name = 'Ada Lindqvist', path = '/', words = ENGLISH): Promise<void> {
  await page.goto(path);
  await page.getByLabel(words.say('name'), { exact: true }).fill(name);
  await page.getByLabel(words.say('password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: words.say('log-in') }).click();
  await page.getByRole('button', { name: words.say('log-out') }).waitFor();
}

/** A server with some of everything: the addresses of its views. */
export function furnished(mock: Mock) {
  const ada = mock.addUser('Ada Lindqvist', 'administrator', PASSWORD);
  const ivo = mock.addUser('Ivo Marić', 'teacher', PASSWORD);
  const mei = mock.addUser('Mei', 'reader', PASSWORD);
  mock.addUser('new.colleague@example.org', 'teacher', null);
  mock.setups.set('again', ivo.id);
  const course = mock.addCourse('Programming 1, winter 2026', ada);
  course.members.set(ivo.id, 'teacher');
  course.members.set(mei.id, 'reader');
  const empty = mock.addCourse('Algorithms', ada);
  mock.addBatch(course, 'Week 1: greetings', 'done', { is_archived: true });
  const done = mock.addBatch(course, 'Week 2: inventory', 'done');
  const failed = mock.addBatch(course, 'Week 3: essays', 'failed', {
    error:
      'the comparison needed more than 4 GB of memory; raise the shortest match or leave out large files',
  });
  mock.addBatch(course, 'Week 4: parser, second attempt', 'cancelled');
  const running = mock.addBatch(
    course,
    'Week 5: a_very_long_title_without_any_blank_from_a_learning_platform',
    'running',
    {
      progress: { step: 'comparing', done: 31, total: 48 },
    },
  );
  mock.addBatch(course, 'Week 6: graphs', 'queued');
  const part = mock.addBatch(course, 'Week 7: scanned essays', 'done', {
    summary: summary({ compared: 'part', n_incomplete: 9, n_notices: 9 }),
  });
  const cut = mock.addBatch(course, 'Week 7: half an archive', 'done', {
    summary: summary({ compared: 'part', is_cut_off: true, n_incomplete: 0 }),
  });
  const older = mock.addBatch(course, 'Week 0: by an older release', 'done', { summary: null });
  const proposed = mock.addBatch(course, 'Week 9: to be looked at', 'proposed', {
    summary: summary({ best: null, n_left_out: 12, n_pairs: 0, n_standing_out: null, n_unread: 3 }),
  });
  const nothing = mock.addBatch(course, 'Week 8: a picture', 'done', {
    summary: summary({
      best: null,
      compared: 'nothing',
      n_pairs: 0,
      n_standing_out: null,
      n_submissions: 1,
      nothing: 'nothing to compare: board.png is the only submission',
      taken: '1 input without readable text',
    }),
  });
  mock.links.set('l1', {
    id: 'l1',
    batch: done.id,
    secret: 'x',
    created: '2026-03-03T08:00:00Z',
    expires: '2026-03-17T08:00:00Z',
    password: 'x',
    anonymous: true,
    views: 3,
  });
  mock.tokens.set('t1', {
    id: 't1',
    user: ada.id,
    label: 'Grading script',
    token: 'x',
    created: '2026-03-03T08:00:00Z',
    used: null,
  });
  mock.paused = true;
  return {
    mei,
    views: {
      courses: '/',
      course: `/courses/${course.id}`,
      'empty-course': `/courses/${empty.id}`,
      done: `/batches/${done.id}`,
      running: `/batches/${running.id}`,
      failed: `/batches/${failed.id}`,
      part: `/batches/${part.id}`,
      cut: `/batches/${cut.id}`,
      older: `/batches/${older.id}`,
      nothing: `/batches/${nothing.id}`,
      proposed: `/batches/${proposed.id}`,
      account: '/account',
      users: '/users',
      missing: '/batches/none',
    },
  };
}

/** A furnished server and one before its first start, which are stopped together. */
export interface Servers {
  mock: Mock;
  address: string;
  freshAddress: string;
  views: Record<string, string>;
  stop: () => Promise<void>;
}

/** Starts both of them. */
export async function startBoth(): Promise<Servers> {
  const [mock, fresh] = [new Mock(), new Mock()];
  const [address, freshAddress] = [await mock.start(), await fresh.start()];
  fresh.firstLink();
  const { views } = furnished(mock);
  const stop = async () => {
    await mock.stop();
    await fresh.stop();
  };
  return { mock, address, freshAddress, views, stop };
}
