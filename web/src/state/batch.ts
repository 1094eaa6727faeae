// Marks, notes and evidence of a whole batch: as one zip, as tables, and read back from either.
import { strFromU8, unzipSync } from 'fflate';
import { bundle } from '../logic/bundle.ts';
import { toCsv, type Sheet } from '../logic/csv.ts';
import { readReview, type Entry } from '../logic/review.ts';
import { say } from '../logic/say.ts';
import type { App } from './app.svelte.ts';
import { download } from './download.ts';
import { bundleInput } from './evidence.ts';
import { evidenceSheet, reviewSheet } from './sheets.ts';

/** Most pairs whose passages and texts go into one zip or table, the best first: they are held in memory. */
export const MOST_PAIRS = 200;
const REVIEW = 'review.csv';
/** Bytes that a table of marks in a zip may have, and a file that is read at all. */
const MOST_TABLE = 64 * 2 ** 20;
const MOST_FILE = 512 * 2 ** 20;

/** The listed pairs that somebody has marked or noted, or one of whose submissions, best first. */
export function reviewedPairs({ overview, marks }: App): number[] {
  const isSaid = (key: string) => {
    const { mark, note } = marks.of(key);
    return mark !== '' || note !== '' || marks.ofOthers(key).length > 0;
  };
  const said = overview.submissions.map((_, i) => isSaid(marks.submission(i)));
  return overview.pairs.flatMap(({ a, b }, i) => (said[a] || said[b] || isSaid(marks.pair(i)) ? [i] : []));
}

/** The passages of all reviewed pairs as a table, up to the limit. */
async function evidence(app: App, pairs: readonly number[]): Promise<Sheet> {
  const loaded = [];
  for (const index of pairs) loaded.push({ index, ...(await app.loader.pair(index)) });
  return evidenceSheet(app, loaded);
}

export async function saveEvidenceTable(app: App): Promise<void> {
  const sheet = await evidence(app, reviewedPairs(app).slice(0, MOST_PAIRS));
  download(`${sheet.name}.csv`, 'text/csv', toCsv(sheet));
}

/** Saves one zip: tables of marks, notes and passages, a page with every passage, the texts and their hashes. */
export async function saveBatch(app: App): Promise<void> {
  const pairs = reviewedPairs(app).slice(0, MOST_PAIRS);
  const input = await bundleInput(app, say('marks-notes-evidence'), pairs);
  const sheet = await evidence(app, pairs);
  const tables = new Map([
    [REVIEW, toCsv(reviewSheet(app))],
    [`${sheet.name}.csv`, toCsv(sheet)],
  ]);
  download('marks-notes-evidence.zip', 'application/zip', await bundle({ ...input, tables }));
}

/** Marks and notes in a table or in a zip that holds one; a text says why there are none. */
export async function readMarks(file: File): Promise<Entry[] | string> {
  if (file.size > MOST_FILE) return say('marks-too-large', { most: String(MOST_FILE / 2 ** 20) });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip) return readReview(strFromU8(bytes)) ?? say('marks-no-table');
  try {
    const found = unzipSync(bytes, {
      filter: ({ name, originalSize }) => name === REVIEW && originalSize <= MOST_TABLE,
    });
    const entries = found[REVIEW] && readReview(strFromU8(found[REVIEW]));
    return entries ?? say('marks-no-table-in-zip', { file: REVIEW });
  } catch {
    return say('marks-damaged');
  }
}
