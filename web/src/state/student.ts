// Gathers what the report about one person says, with the names of others as letters unless they are asked for.
import { sharedTokens } from '../logic/coverage.ts';
import { printable } from '../logic/hidden.ts';
import { hiding, masked, maskedPath } from '../logic/mask.ts';
import { personOf } from '../logic/person.ts';
import type { Passage } from '../data/model.ts';
import type { SourceFile } from '../logic/source.ts';
import type { FileStrokes } from '../logic/strokes.ts';
import { strokesOf } from '../logic/strokes.ts';
import {
  letterOf,
  studentReport,
  tokensApart,
  type Remark,
  type Source,
  type StudentInput,
} from '../logic/student.ts';
import { parseTime } from '../logic/time.ts';
import { unitOfFiles, unitOfPair } from '../logic/units.ts';
import type { Words } from '../logic/wording.ts';
import type { App } from './app.svelte.ts';
import { asideInAddress, bibliographyTokens, holesIn, shareWith, withAside } from './aside.ts';
import { download } from './download.ts';
import { loadFiles, loadSides, type Loaded } from './pair.svelte.ts';
import { depthsOf, partnersOf, type Partner } from './partners.svelte.ts';

/** What the reader chooses in the dialog. */
export interface StudentChoice {
  words: Words;
  /** True if others are called by their names. */
  names: boolean;
  /** True if marks and notes are part of it. */
  remarks: boolean;
}

/** Most submissions that one report compares with, the best first. */
const MOST_SOURCES = 40;

/** How people and texts are shown in one report. */
interface Shown {
  name: string;
  nameOf: (submission: number) => string;
  pathOf: (submission: number, file: number) => string;
  /** Hides others' names in the person's own texts, and in others'; the length stays. */
  inOwn: (text: string) => string;
  inOthers: (text: string) => string;
}

/** Every name that a submission goes by. */
function namesOf({ overview }: App, i: number): string[] {
  const { name, author } = overview.submissions[i]!;
  return [name, author ?? '', personOf(name)?.name ?? ''].filter(Boolean);
}

/** Tells whether two submissions are one person's, as far as names say so. */
function isSamePerson({ names }: App, i: number, other: number): boolean {
  return i === other || (names.person(i) !== null && names.person(i) === names.person(other));
}

function shownBy(
  app: App,
  index: number,
  partners: readonly Partner[],
  { words, names }: StudentChoice,
): Shown {
  const name = app.names.title(index);
  // With hidden names, the page's own pseudonyms are what it knows everyone by.
  if (names) {
    const same = (text: string) => (app.names.mask ? masked(text, app.names.mask) : text);
    return {
      name,
      nameOf: (i) => app.names.title(i),
      pathOf: (i, file) => app.names.path(i, file),
      inOwn: same,
      inOthers: same,
    };
  }
  const all = app.overview.submissions.map((_, i) => i);
  const strangers = all.filter((i) => !isSamePerson(app, index, i)).flatMap((i) => namesOf(app, i));
  const own = app.anonymous ? [] : namesOf(app, index);
  const hidden = app.anonymous ? [...strangers, ...namesOf(app, index)] : strangers;
  const [hideInOwn, hideInOthers] = [hiding(hidden, own), hiding(hidden)];
  const letters = new Map<string, string>();
  const nameOf = (i: number) => {
    if (isSamePerson(app, index, i)) return words.say('own-earlier-name');
    const key = app.names.title(i);
    if (!letters.has(key)) letters.set(key, words.say('person', { letter: letterOf(letters.size) }));
    return letters.get(key)!;
  };
  // In the order of the sources, so that the letters are too.
  for (const { submission } of partners) nameOf(submission);
  return {
    name,
    nameOf,
    pathOf: (i, file) => {
      const path = app.overview.submissions[i]?.files[file]?.path ?? '';
      const isOwn = isSamePerson(app, index, i) && !app.anonymous;
      return isOwn ? printable(hideInOwn(path)) : maskedPath(path, file, words);
    },
    inOwn: hideInOwn,
    inOthers: hideInOthers,
  };
}

const withText = (files: readonly SourceFile[], hide: (text: string) => string): SourceFile[] =>
  files.map((file) => ({ ...file, text: file.text === null ? null : hide(file.text) }));

/** A pair with the looked-at submission as side A. */
function turned({ passages, files, metadata }: Loaded, side: 'a' | 'b'): Loaded {
  const other = side === 'a' ? 'b' : 'a';
  const [a, b] = [files[side], files[other]];
  const ordered = passages
    .map((passage): Passage => ({
      ...passage,
      matches: passage.matches
        .map((match) => ({ tokens: match.tokens, a: match[side], b: match[other] }))
        .sort((x, y) => x.a.file - y.a.file || x.a.start - y.a.start),
    }))
    .sort((x, y) => placeIn(x) - placeIn(y));
  const strokes = {
    a: strokesOf(ordered, 'a', a.length),
    b: strokesOf(ordered, 'b', b.length),
  } satisfies Record<string, FileStrokes[]>;
  return { passages: ordered, metadata, files: { a, b }, strokes };
}

const placeIn = ({ matches }: Passage) => (matches[0] ? matches[0].a.file * 2 ** 32 + matches[0].a.start : 0);

async function sourceOf(app: App, { pair: index, submission, side }: Partner, shown: Shown): Promise<Source> {
  const pair = app.overview.pairs[index]!;
  const loaded = turned(await loadSides(app, index), side);
  const times = [side === 'a' ? pair.a : pair.b, submission].map((i) =>
    parseTime(app.overview.submissions[i]?.submitted ?? null),
  );
  const [own, other] = times;
  return {
    name: shown.nameOf(submission),
    archive: app.overview.submissions[submission]?.role === 'archive',
    pair,
    // Offsets stay, as hidden words keep their length.
    loaded: {
      ...loaded,
      files: {
        a: withText(loaded.files.a, shown.inOwn),
        b: withText(loaded.files.b, shown.inOthers),
      },
    },
    unit: unitOfPair(app.overview, pair),
    shares:
      side === 'a' ? [pair.containment_a, pair.containment_b] : [pair.containment_b, pair.containment_a],
    later: own === null || other === null ? null : other! - own!,
    path: (file) => shown.pathOf(submission, file),
  };
}

/** Marks and notes on the submission and on its pairs, the reader's own first. */
function remarksOf(app: App, index: number, partners: readonly Partner[], shown: Shown): Remark[] {
  const targets: [string, string][] = [
    [app.marks.submission(index), shown.name],
    ...partners.map(({ pair, submission }): [string, string] => [
      app.marks.pair(pair),
      `${shown.name} / ${shown.nameOf(submission)}`,
    ]),
  ];
  const said = (text: string) => printable(shown.inOwn(text));
  return targets.flatMap(([target, what]) =>
    [{ reviewer: app.marks.reviewer, ...app.marks.of(target) }, ...app.marks.ofOthers(target)]
      .filter(({ mark, note }) => mark || note)
      .map(({ reviewer, mark, note }) => ({ what, reviewer: printable(reviewer), mark, note: said(note) })),
  );
}

/** What was said about the inputs of the person, and of those that are compared with. */
function noticesOf(
  app: App,
  index: number,
  partners: readonly Partner[],
  shown: Shown,
): StudentInput['notices'] {
  const { submissions, notices } = app.overview;
  return [index, ...partners.map(({ submission }) => submission)].flatMap((i) => {
    const { name, role, files } = submissions[i]!;
    const hide = i === index ? shown.inOwn : shown.inOthers;
    return notices
      .filter((notice) => notice.submission === name && notice.role === role)
      .map(({ outcome, path, reason }) => {
        const file = files.findIndex((file) => file.path === path);
        const where = file < 0 ? printable(hide(path)) : shown.pathOf(i, file);
        const who = i === index ? where : `${shown.nameOf(i)}, ${where}`;
        return { outcome, who, reason: printable(hide(reason)) };
      });
  });
}

/** The report about a submission as HTML; fails if a part of the batch's report is missing. */
export async function makeStudentReport(app: App, index: number, choice: StudentChoice): Promise<string> {
  const { overview } = app;
  const submission = overview.submissions[index]!;
  const above = partnersOf(app, index).filter(({ pair }) => overview.pairs[pair]!.score >= app.threshold);
  const aside = asideInAddress();
  const partners = above.slice(0, MOST_SOURCES);
  const shown = shownBy(app, index, partners, choice);
  const sources: Source[] = [];
  for (const partner of partners) sources.push(await sourceOf(app, partner, shown));
  const given = partners.length ? await loadFiles(app, index) : [];
  // Side A of each source is this submission, as the pairs have been turned.
  const held = new Map(sources.map(({ loaded }, i) => [partners[i]!.pair, loaded.passages]));
  const turnedTo = partners.map((partner): Partner => ({ ...partner, side: 'a' }));
  const holes = holesIn(given, turnedTo, held, aside);
  const files = withAside(given, holes);
  const counting = turnedTo.filter(({ pair }) => !aside.pairs.has(pair));
  const depths = depthsOf(counting, held, files.length);
  const { counted, shared } = sharedTokens(files, depths);
  if (holes.some((own) => own.length > 0))
    sources.forEach((source, i) => {
      source.shares[0] = shareWith(files, turnedTo[i]!, held);
      source.loaded.files.a = withAside(source.loaded.files.a, holes);
    });
  const isAside = (i: number) => aside.pairs.has(partners[i]!.pair);
  return studentReport({
    words: choice.words,
    made: new Date(),
    overview,
    title: overview.title && printable(shown.inOthers(overview.title)),
    name: shown.name,
    submission: choice.names || !app.anonymous ? app.names.submission(index) : shown.name,
    group: app.names.label(index),
    handedIn: parseTime(submission.submitted),
    files: withText(files, shown.inOwn),
    path: (file) => shown.pathOf(index, file),
    unit: unitOfFiles(submission.files),
    counted: partners.length ? counted : submission.tokens,
    shared,
    threshold: app.threshold,
    sources: sources.filter((_, i) => !isAside(i)),
    leftOut: above.length - partners.length,
    notices: noticesOf(app, index, partners, shown),
    remarks: choice.remarks ? remarksOf(app, index, partners, shown) : null,
    pseudonymous: !choice.names,
    apart: {
      given: tokensApart(given, 'given'),
      frequent: tokensApart(given, 'frequent'),
      quoted: tokensApart(given, 'quoted'),
      bibliography: aside.bibliography ? bibliographyTokens(given) : 0,
    },
    aside: sources.filter((_, i) => isAside(i)).map(({ name }) => name),
  });
}

export async function saveStudentReport(app: App, index: number, choice: StudentChoice): Promise<void> {
  download(
    `report-about-${app.called('submission', index + 1)}.html`,
    'text/html',
    await makeStudentReport(app, index, choice),
  );
}
