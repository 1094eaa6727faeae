// Saves the evidence on some pairs as a bundle.
import { bundle, type BundleInput } from '../logic/bundle.ts';
import { OUTCOMES } from '../logic/outcomes.ts';
import { say } from '../logic/say.ts';
import type { ExportInput } from '../logic/exportpair.ts';
import { parseTime, showTime } from '../logic/time.ts';
import type { App } from './app.svelte.ts';
import { download } from './download.ts';
import { loadSides, type Loaded } from './pair.svelte.ts';

/** One pair as the page for saving needs it. */
export function exportOf(app: App, index: number, loaded: Loaded): ExportInput {
  const { names, overview } = app;
  const pair = overview.pairs[index]!;
  const time = (side: number) => {
    const parsed = parseTime(overview.submissions[side]?.submitted ?? null);
    return parsed === null ? null : `${showTime(parsed)} UTC`;
  };
  const side = (submission: number) => ({
    name: names.submission(submission),
    id: app.called('submission', submission + 1),
    author: names.person(submission),
    label: names.label(submission),
    submitted: time(submission),
    path: (file: number) => names.path(submission, file),
  });
  const { mark, note } = app.marks.of(app.marks.pair(index));
  return {
    pair,
    number: index + 1,
    id: app.called('pair', index + 1),
    loaded,
    a: side(pair.a),
    b: side(pair.b),
    mark,
    note: names.prose(note),
    mask: names.mask,
    tool: names.prose(overview.tool),
  };
}

/** Loads these pairs and what a bundle about them says; fails if a part of the report is missing. */
export async function bundleInput(
  app: App,
  heading: string,
  indices: readonly number[],
): Promise<BundleInput> {
  const { names, overview } = app;
  const pairs = [];
  for (const index of indices) {
    const { a, b } = overview.pairs[index]!;
    pairs.push({
      ...exportOf(app, index, await loadSides(app, index)),
      submissions: [a, b] as [number, number],
    });
  }
  const about = new Set(
    pairs.flatMap(({ submissions }) => submissions).map((i) => overview.submissions[i]?.name),
  );
  const notices = overview.notices
    .filter(({ submission }) => about.has(submission))
    .map(({ submission, path, outcome, reason }) =>
      names.prose(say('notice-line', { outcome: say(OUTCOMES[outcome]), submission, path, reason })),
    );
  const { promises, settings, title, tool } = overview;
  const report = { promises, settings, title: title ? names.prose(title) : null, tool };
  return { heading, made: new Date(), overview: report, pairs, notices };
}

/** Saves the evidence on these pairs as one zip; fails if a part of the report is missing. */
export async function saveBundle(app: App, name: string, heading: string, indices: readonly number[]) {
  download(`${name}.zip`, 'application/zip', await bundle(await bundleInput(app, heading, indices)));
}
