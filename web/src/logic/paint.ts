// What one row looks like: its text cut into segments, each with what is known of it. Only rows in
// view are painted, so this may cost a little.
import { masked } from './mask.ts';
import { codeName, isHidden } from './hidden.ts';
import { pageWords } from './say.ts';
import type { Words } from './wording.ts';
import type { Grey } from './source.ts';
import { touching, type FileStrokes } from './strokes.ts';
import { CLASSES } from '../data/model.ts';
import { firstAfter, isLeftOut, type Tokens } from './tokens.ts';

/** What has a colour of its own: some classes of tokens, and what the program did not compare. */
export type Kind = 'keyword' | 'string' | 'number' | 'left-out';

export interface Segment {
  text: string;
  kind: Kind | null;
  /** Passage whose match this belongs to. */
  match: number | null;
  /** Passage in which this stands between two matches: what differs. */
  gap: number | null;
  grey: Grey['why'] | null;
  hidden: boolean;
  /** Whether it stands for the beginning of a page. */
  page: boolean;
  /** How many partners share it, where that is asked for. */
  depth: number;
}

const FORM_FEED = 0x0c;

export interface Layers {
  strokes: FileStrokes | null;
  grey: readonly Grey[];
  tokens: Tokens;
  /** Words that must not be read, in lower case. */
  mask: ReadonlySet<string> | null;
  /** Coverage: ascending, apart. */
  depths: readonly { start: number; end: number; depth: number }[];
  /** The words for the beginning of a page; the page's own if left out. */
  words?: Words;
}

/** The segments of `text[start..end]`, in order; together they are exactly the row. */
export function paint(text: string, start: number, end: number, layers: Layers): Segment[] {
  const cuts = new Set<number>([start, end]);
  const cut = (...places: number[]) => {
    for (const at of places) if (at > start && at < end) cuts.add(at);
  };
  const matches = layers.strokes ? touching(layers.strokes.matches, start, end) : [];
  const extents = layers.strokes ? touching(layers.strokes.extents, start, end) : [];
  const greys = touching(layers.grey, start, end);
  const depths = touching(layers.depths, start, end);
  const kinds = kindsIn(text, layers.tokens, start, end);
  const hidden = hiddenIn(text, start, end);
  // Indentation is left bare: painted blanks are noise.
  const indent = /^[ \t]*/.exec(text.slice(start, Math.min(end, start + 400)))![0].length;
  cut(start + indent);
  for (const layer of [matches, extents, greys, depths, kinds, hidden]) {
    for (const { start, end } of layer) cut(start, end);
  }
  const shown = layers.mask ? masked(text.slice(start, end), layers.mask) : null;
  const places = [...cuts].sort((x, y) => x - y);
  const segments: Segment[] = [];
  for (let i = 0; i + 1 < places.length; i++) {
    const from = places[i]!;
    const to = places[i + 1]!;
    const holds = (span: { start: number; end: number }) => span.start <= from && span.end >= to;
    const code = hidden.find(holds)?.code;
    const kind = kinds.find(holds)?.kind ?? null;
    // What was not compared is neither matched nor different.
    const bare = to <= start + indent || kind === 'left-out';
    const match = bare ? null : (matches.find(holds)?.passage ?? null);
    const body = shown ? shown.slice(from - start, to - start) : text.slice(from, to);
    segments.push({
      text:
        code === undefined
          ? body
          : code === FORM_FEED
            ? (layers.words ?? pageWords()).say('page-mark', { n: String(pageOf(text, from)) })
            : codeName(code),
      kind,
      match,
      gap: match === null && !bare ? (extents.find(holds)?.passage ?? null) : null,
      grey: to <= start + indent ? null : (greys.find(holds)?.why ?? null),
      hidden: code !== undefined && code !== FORM_FEED,
      page: code === FORM_FEED,
      depth: bare ? 0 : (depths.find(holds)?.depth ?? 0),
    });
  }
  return segments;
}

/** The number of the page that the form feed at a place begins. */
function pageOf(text: string, at: number): number {
  let page = 2;
  for (let next = text.indexOf('\f'); next >= 0 && next < at; next = text.indexOf('\f', next + 1)) page++;
  return page;
}

/** What has a colour in `start..end`, ascending, apart. Nothing has if there are no tokens. */
function kindsIn(text: string, tokens: Tokens, start: number, end: number) {
  const found: { start: number; end: number; kind: Kind }[] = [];
  const { count, starts, ends, classes } = tokens;
  if (count === 0) return found;
  for (let i = firstAfter(tokens, start); i <= count; i++) {
    // First what stands before the token, or behind the last one.
    const from = Math.max(start, ends[i - 1] ?? 0);
    const to = Math.min(end, starts[i] ?? text.length);
    if (from < to && isLeftOut(tokens, i)) {
      const gap = text.slice(from, to);
      const trimmed = gap.trim();
      const at = from + gap.indexOf(trimmed);
      // Where a row ends within a comment, its last blank belongs to the comment.
      const goesOn = to < (starts[i] ?? text.length) && text.slice(to, starts[i]).trim() !== '';
      if (trimmed) found.push({ start: at, end: goesOn ? to : at + trimmed.length, kind: 'left-out' });
    }
    if (i === count || starts[i]! >= end) break;
    const kind = CLASSES[classes[i]!];
    if (kind === 'keyword' || kind === 'string' || kind === 'number')
      found.push({ start: starts[i]!, end: ends[i]!, kind });
  }
  return found;
}

function hiddenIn(text: string, start: number, end: number) {
  const found: { start: number; end: number; code: number }[] = [];
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x20 && unit < 0x7f) continue;
    const code = text.codePointAt(at) ?? unit;
    const length = code > 0xffff ? 2 : 1;
    // A paragraph holds line ends, which are no hidden characters.
    if (unit === 13 && text.charCodeAt(at + 1) === 10) continue;
    if (isHidden(code)) found.push({ start: at, end: Math.min(at + length, end), code });
    at += length - 1;
  }
  return found;
}
