// What one row looks like: its text cut into segments, each with what is known of it. Only rows in
// view are painted, so this may cost a little.
import { masked } from './anonymise.ts';
import { codeName, isHidden } from './hidden.ts';
import { KINDS, type Lexer, type TokenKind } from './lex.ts';
import { touching, type FileStrokes } from './strokes.ts';

export interface Segment {
  text: string;
  kind: TokenKind | null;
  /** Passage whose match this belongs to. */
  match: number | null;
  /** Passage in which this stands between two matches: what differs. */
  gap: number | null;
  grey: 'given' | 'frequent' | null;
  hidden: boolean;
  /** How many partners share it, where that is asked for. */
  depth: number;
}

export interface Layers {
  strokes: FileStrokes | null;
  grey: readonly { start: number; end: number; why: string }[];
  lexer: Lexer | null;
  /** Words that must not be read, in lower case. */
  mask: ReadonlySet<string> | null;
  /** Coverage: ascending, apart. */
  depths: readonly { start: number; end: number; depth: number }[];
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
  const tokens = tokensIn(layers.lexer, start, end);
  const hidden = hiddenIn(text, start, end);
  // Indentation is left bare: painted blanks are noise.
  const indent = /^[ \t]*/.exec(text.slice(start, Math.min(end, start + 400)))![0].length;
  cut(start + indent);
  for (const layer of [matches, extents, greys, depths, tokens, hidden]) {
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
    const bare = to <= start + indent;
    const grey = bare ? undefined : greys.find(holds)?.why;
    const match = bare ? null : (matches.find(holds)?.passage ?? null);
    const body = shown ? shown.slice(from - start, to - start) : text.slice(from, to);
    segments.push({
      text: code === undefined ? body : codeName(code),
      kind: tokens.find(holds)?.kind ?? null,
      match,
      gap: match === null && !bare ? (extents.find(holds)?.passage ?? null) : null,
      grey: grey === undefined ? null : grey === 'frequent' ? 'frequent' : 'given',
      hidden: code !== undefined,
      depth: bare ? 0 : (depths.find(holds)?.depth ?? 0),
    });
  }
  return segments;
}

function tokensIn(lexer: Lexer | null, start: number, end: number) {
  const found: { start: number; end: number; kind: TokenKind }[] = [];
  if (!lexer) return found;
  for (let i = lexer.firstAfter(start); i < lexer.starts.length && lexer.starts[i]! < end; i++) {
    const kind = KINDS[lexer.kinds[i]!]!;
    if (kind !== 'name' && kind !== 'mark')
      found.push({ start: lexer.starts[i]!, end: lexer.ends[i]!, kind });
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
    if (isHidden(code)) found.push({ start: at, end: Math.min(at + length, end), code });
    at += length - 1;
  }
  return found;
}
