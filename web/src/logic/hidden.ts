// Characters that cannot be seen, or change how their neighbours are seen. The same list as the
// program's `fanmill-report/src/printable.rs`: what it writes as escapes is what the page shows as marks.

const INVISIBLE: readonly [number, number][] = [
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // combining grapheme joiner
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180b, 0x180f], // Mongolian selectors and separator
  [0x200b, 0x200f], // zero width space and joiners, direction marks
  [0x2028, 0x202e], // line and paragraph separator, embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, isolates
  [0x2800, 0x2800], // Braille blank
  [0x3164, 0x3164], // Hangul filler
  [0xe000, 0xf8ff], // private use
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // halfwidth Hangul filler
  [0xfff0, 0xfffb], // interlinear annotation
  [0xfffe, 0xffff], // noncharacters
  [0x1bca0, 0x1bca3], // shorthand format controls
  [0x1d173, 0x1d17a], // musical format controls
  [0xe0000, 0x10ffff], // tags, selectors supplement, private planes
];

/** Whether a code point cannot be seen. Tab and line feed do not count. */
export function isHidden(code: number): boolean {
  if (code < 0x7f) return code < 0x20 && code !== 9 && code !== 10;
  if (code < 0xa0) return true;
  if (code >= 0xd800 && code <= 0xdfff) return true; // half of a pair
  return INVISIBLE.some(([first, last]) => code >= first && code <= last);
}

/** `U+202E`, as it is shown in place of the character. */
export function codeName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A name on one line, without effect on its surroundings: hidden characters become `\u{202e}`. */
export function printable(text: string): string {
  let out = '';
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0;
    if (c === '\n') out += '\\n';
    else if (c === '\t') out += '\\t';
    else if (c === '\r') out += '\\r';
    else out += isHidden(code) ? `\\u{${code.toString(16)}}` : c;
  }
  return out;
}
