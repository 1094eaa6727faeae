// A report about one person, for a hearing: one HTML file without scripts, with what is theirs and what it resembles, the names of
// others as letters unless asked otherwise. All text goes through one escape function.
import type { Notice, Overview, Pair, Passage } from '../data/model.ts';
import type { Loaded } from '../state/pair.svelte.ts';
import { passageRows } from './bundlepassage.ts';
import { chanceInWords } from './chance.ts';
import { escapeHtml, STYLE, type PassageInput } from './exportpair.ts';
import { hue } from './format.ts';
import { OUTCOMES } from './outcomes.ts';
import { pageRule } from './pagerule.ts';
import type { MarkName } from './review.ts';
import type { Grey, SourceFile } from './source.ts';
import { promiseText } from './promise.ts';
import { SIZES, unitOfPassage, type Unit } from './units.ts';
import type { CountedKey, Key, Words } from './wording.ts';

/** One submission that the person's resembles; in `loaded`, side A is the person's. */
export interface Source {
  name: string;
  archive: boolean;
  pair: Pair;
  loaded: Loaded;
  unit: Unit;
  /** How much of the person's submission and of the other lies in passages. */
  shares: [number, number];
  /** Milliseconds from the person's hand-in to the other's; null if either is not known. */
  later: number | null;
  path: (file: number) => string;
}

/** A mark or note of a reviewer. */
export interface Remark {
  what: string;
  reviewer: string;
  mark: MarkName | '';
  note: string;
}

export interface StudentInput {
  words: Words;
  made: Date;
  overview: Pick<Overview, 'promises' | 'settings' | 'tool'>;
  title: string | null;
  name: string;
  submission: string;
  group: string | null;
  handedIn: number | null;
  files: SourceFile[];
  path: (file: number) => string;
  unit: Unit;
  counted: number;
  shared: number;
  threshold: number;
  sources: Source[];
  /** Pairs that reach the threshold and are not among the sources. */
  leftOut: number;
  notices: (Pick<Notice, 'outcome' | 'reason'> & { who: string })[];
  /** Null if they were not asked for. */
  remarks: Remark[] | null;
  /** True if others stand under letters. */
  pseudonymous: boolean;
  /** Tokens that were set apart, by the reason. */
  apart: Record<keyof typeof APART, number>;
  /** The submissions that the reader has set aside, by their names. */
  aside: string[];
}

/** `A` to `Z`, then `AA`. */
export function letterOf(n: number): string {
  const last = String.fromCharCode(65 + (n % 26));
  return n < 26 ? last : letterOf(Math.floor(n / 26) - 1) + last;
}

/** Lines of passages in one report; the rest is counted. Some 250 pages. */
const MOST_LINES = 15_000;

export function studentReport(input: StudentInput): string {
  const { words, name, title, made } = input;
  const day = moment(words, made.getTime());
  const heading = words.say('title', { name });
  const room = { lines: MOST_LINES };
  return `<!doctype html>
<html lang="${escapeHtml(words.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escapeHtml(heading)}</title>
<style>${STYLE}${OWN_STYLE}${pageRule([words.say('head', { name }), title].filter(Boolean).join(' · '), day, words.say('page'))}</style>
</head>
<body>
<header>
<h1>${escapeHtml(heading)}</h1>
${facts(input, day)}
</header>
<main>
${inShort(input)}${reading(input)}${table(input)}
${input.sources.map((source) => sourceSection(input, source, room)).join('')}
${setApart(input)}${notices(input)}${remarks(input)}${settings(input)}
</main>
</body>
</html>
`;
}

/** A time as evidence has it. */
const moment = (words: Words, time: number) => `${words.time(time, 'long')} UTC`;

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
const section = (heading: string, body: string) =>
  `<section><h2>${escapeHtml(heading)}</h2>${body}</section>\n`;
const list = (items: readonly string[]) =>
  `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
const definitions = (rows: readonly [string, string | null][]) =>
  `<dl>${rows
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `<dt>${escapeHtml(key)}</dt><dd>${escapeHtml(value!)}</dd>`)
    .join('')}</dl>`;

const SIZE_OF: Record<Unit, CountedKey> = {
  word: 'size-word',
  token: 'size-token',
  character: 'size-character',
};

function facts({ words, title, submission, group, handedIn, overview }: StudentInput, day: string): string {
  return definitions([
    [words.say('batch'), title],
    [words.say('submission'), submission],
    [words.say('group'), group],
    [words.say('handed-in'), handedIn === null ? null : moment(words, handedIn)],
    [words.say('made-with'), overview.tool],
    [words.say('made-on'), day],
  ]);
}

function inShort(input: StudentInput): string {
  const { words, files, unit, counted, shared, sources, leftOut, threshold } = input;
  const items = [
    words.counted('size-file', files.length),
    words.counted(SIZE_OF[unit], counted),
    ...(sources.length
      ? [
          words.counted('also-found', sources.length, {
            share: words.percent(counted ? shared / counted : 0),
          }),
        ]
      : [words.say('nothing-found')]),
    words.counted('threshold', sources.length, { score: words.score(threshold) }),
    ...(leftOut ? [words.counted('left-out-sources', leftOut)] : []),
  ];
  return section(words.say('in-short'), list(items));
}

function reading({ words, pseudonymous }: StudentInput): string {
  const keys: Key[] = ['reading-score', 'reading-chance', 'reading-colours'];
  if (pseudonymous) keys.push('reading-names');
  return section(words.say('reading'), keys.map((key) => paragraph(words.say(key))).join(''));
}

/** The expectation of a pair in words. */
export function unusual(words: Words, { expected, own_earlier: isOwn }: Pair): string {
  if (isOwn) return words.say('own-earlier');
  if (expected === undefined) return words.say('chance-unknown');
  return chanceInWords(expected, words);
}

const named = (words: Words, { name, archive }: Source) =>
  archive ? `${name} (${words.say('archive')})` : name;

function table({ words, sources }: StudentInput): string {
  if (sources.length === 0) return '';
  const heads: Key[] = ['source', 'score', 'of-this', 'of-that', 'longest', 'unusual'];
  const rows = sources.map((source) => {
    const { pair, shares, unit } = source;
    const cells = [
      named(words, source),
      words.score(pair.score),
      words.percent(shares[0]),
      words.percent(shares[1]),
      words.counted(SIZES[unit], pair.longest),
      unusual(words, pair),
    ];
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  });
  const head = heads.map((key) => `<th scope="col">${escapeHtml(words.say(key))}</th>`).join('');
  return section(
    words.say('sources'),
    `<table class="sources"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

function order({ words }: StudentInput, { later }: Source): string {
  if (later === null) return '';
  if (later === 0) return words.say('order-together');
  const days = Math.round(Math.abs(later) / 86_400_000);
  const time = days > 1 ? words.counted('days', days) : words.duration(later);
  const said = words.say(later > 0 ? 'order-first' : 'order-second', { time });
  return `${said} ${words.say('order-note')}`;
}

function sourceSection(input: StudentInput, source: Source, room: { lines: number }): string {
  const { words, name } = input;
  const { pair, loaded, shares } = source;
  const given = {
    score: words.score(pair.score),
    this: words.percent(shares[0]),
    that: words.percent(shares[1]),
  };
  const about = [
    words.say('pair-share', given),
    unusual(words, pair),
    order(input, source),
    pair.truncated ? words.say('limited') : '',
    Object.values(loaded.files).some((files) => files.some(({ text }) => text === null))
      ? words.say('no-text')
      : '',
  ];
  const rows: PassageInput = {
    loaded,
    a: { path: input.path },
    b: { path: source.path },
    mask: null,
    labels: { a: name, b: source.name },
    where: (first, last) => where(words, first, last),
    words,
  };
  let left = 0;
  const passages = loaded.passages.map((passage, i) => {
    room.lines -= linesIn(passage);
    if (room.lines < 0) {
      left++;
      return '';
    }
    const size = words.counted(SIZES[unitOfPassage(passage, loaded.files)], passage.tokens);
    const heading = words.say(passage.moved ? 'passage-moved' : 'passage', { n: words.count(i + 1), size });
    return `<section class="passage"><h3><b class="n h${hue(i)}">${i + 1}</b> ${escapeHtml(heading)}</h3><table class="aligned"><tbody>${passageRows(rows, passage, i)}</tbody></table></section>`;
  });
  const heading = words.say('two', { name, other: named(words, source) });
  return `<article><h2>${escapeHtml(heading)}</h2>${about.filter(Boolean).map(paragraph).join('')}${passages.join('')}${left ? paragraph(words.counted('passages-left-out', left)) : ''}</article>\n`;
}

const linesIn = ({ matches }: Passage) =>
  matches.reduce(
    (sum, { a, b }) => sum + 1 + Math.max(a.last_line - a.first_line, b.last_line - b.first_line),
    0,
  );

function where(words: Words, first: Passage['matches'][number]['a'], last: typeof first): string {
  const onPages = first.pages && last.pages;
  const [from, to] = onPages ? [first.pages![0]!, last.pages![1]!] : [first.first_line, last.last_line];
  const range = from === to ? `${from}` : `${from}–${to}`;
  return words.counted(onPages ? 'pages' : 'lines', from === to ? 1 : 2, { where: range });
}

/** Tokens of some files that lie in what was set apart for one reason. */
export function tokensApart(files: readonly SourceFile[], why: Grey['why']): number {
  let sum = 0;
  for (const { tokens, grey } of files) {
    const own = grey.filter((span) => span.why === why);
    let next = 0;
    for (let i = 0; i < tokens.count && next < own.length; i++) {
      const at = tokens.starts[i]!;
      while (next < own.length && own[next]!.end <= at) next++;
      if (next < own.length && own[next]!.start <= at) sum++;
    }
  }
  return sum;
}

const APART = {
  given: 'set-apart-given',
  frequent: 'set-apart-frequent',
  quoted: 'set-apart-quoted',
  bibliography: 'set-apart-bibliography',
} as const;

function setApart({ words, unit, apart, aside }: StudentInput): string {
  const items = (Object.keys(APART) as (keyof typeof APART)[])
    .filter((why) => apart[why] > 0)
    .map((why) => words.say(APART[why], { size: words.counted(SIZES[unit], apart[why]) }));
  items.push(...aside.map((name) => words.say('set-apart-source', { name })));
  return section(
    words.say('set-apart'),
    items.length
      ? list(items) + paragraph(words.say('set-apart-note'))
      : paragraph(words.say('set-apart-none')),
  );
}

function notices({ words, notices }: StudentInput): string {
  const items = notices.map(({ outcome, who, reason }) => {
    return `<li><b>${escapeHtml(words.say(OUTCOMES[outcome]))}</b>: ${escapeHtml(who)}: <span lang="en">${escapeHtml(reason)}</span></li>`;
  });
  const body = items.length
    ? `${paragraph(words.say('notices-note'))}<ul>${items.join('')}</ul>`
    : paragraph(words.say('notices-none'));
  return section(words.say('notices'), body);
}

function remarks({ words, remarks }: StudentInput): string {
  if (remarks === null) return '';
  const items = remarks.flatMap(({ what, reviewer, mark, note }) => {
    const about = reviewer ? words.say('reviewer-line', { reviewer, what }) : what;
    return [
      ...(mark ? [words.say('mark-line', { what: about, mark: words.say(MARKED[mark]) })] : []),
      ...(note ? [words.say('note-line', { what: about, note })] : []),
    ];
  });
  return section(words.say('marks'), items.length ? list(items) : paragraph(words.say('marks-none')));
}

const MARKED: Record<MarkName, Key> = {
  copied: 'mark-copied',
  unsure: 'mark-unsure',
  innocent: 'mark-innocent',
};

function settings({ words, overview: { settings, promises } }: StudentInput): string {
  return section(
    words.say('settings'),
    definitions([
      ...promises.map((promise): [string, string] => [
        words.say('guarantee'),
        promiseText(promise, promises, words),
      ]),
      [words.say('min-score'), words.score(settings.min_score)],
      [
        words.say('boilerplate'),
        settings.max_docs === null
          ? words.say('boilerplate-given')
          : words.counted('boilerplate-frequent', settings.max_docs),
      ],
      [words.say('quotations'), words.say(settings.quotes ? 'quotations-apart' : 'quotations-counted')],
    ]),
  );
}

const OWN_STYLE = `
body{max-width:1100px;margin:24px auto;padding:0 24px}main{display:block}header{max-width:none}h1{overflow-wrap:anywhere}h2{margin:22px 0 6px}p,li,dd{max-width:90ch}p{margin:4px 0}ul{margin:4px 0;padding-left:20px}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 14px;margin:6px 0}dt{color:#5a5d63}dd{margin:0;overflow-wrap:anywhere}
.sources{width:100%}.sources td,.sources th{vertical-align:top;overflow-wrap:anywhere}.sources td:first-child{min-width:9em}.sources :is(td,th):not(:first-child,:last-child){white-space:nowrap;overflow-wrap:normal}
article{border-top:1px solid #dedfdc;margin-top:18px}.passage{margin:14px 0}h3{background:none;padding:0}.aligned{width:100%;table-layout:fixed;margin:4px 0}
.aligned td{font:11px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;vertical-align:top;width:50%;padding:0 8px 0 0;tab-size:4}
.aligned .prose{font:12px/1.5 system-ui,sans-serif;white-space:normal;overflow-wrap:break-word}.prose p{margin:0 0 6px}
.aligned tr:not(:has(.prose)){break-inside:avoid}.file th{font-size:12px;background:#efefec;padding:2px 6px;overflow-wrap:anywhere;text-align:left}
@media print{@page{margin:19mm 14mm 17mm}body{max-width:none;margin:0;padding:0;font-size:9.5pt}h2,h3,.file{break-after:avoid}.aligned td{font-size:7.5pt}.aligned .prose{font-size:9pt}}
`;
