// How wide characters are in the face that prose is set in.
import type { Face } from '../logic/flow.ts';

/** The same as `.flowed` in `RowText.svelte`. */
const SIZE = '15px';

/** Rows wider than this are tiring to read. */
const WIDEST = 640;

const known = new Map<number, number>();
let context: CanvasRenderingContext2D | null = null;

function advance(code: number): number {
  const width = known.get(code);
  if (width !== undefined) return width;
  // A character of two units is measured by its first one; a combining mark stands on its neighbour.
  const isLow = code >= 0xdc00 && code <= 0xdfff;
  const text = code >= 0xd800 && code <= 0xdbff ? '\u{1f980}' : String.fromCharCode(code);
  const isMark = /\p{M}/u.test(text);
  const measured = isLow || isMark ? 0 : (context?.measureText(text).width ?? 8);
  known.set(code, measured);
  return measured;
}

/** The face of prose, in a pane with so much room. */
export function proseFace(room: number): Face {
  if (!context) {
    context = document.createElement('canvas').getContext('2d');
    const family = getComputedStyle(document.documentElement).getPropertyValue('--sans');
    if (context) [context.font, context.fontKerning] = [`${SIZE} ${family}`, 'none'];
  }
  // A little is left over, as browsers round widths.
  return { width: Math.min(WIDEST, room) - 4, advance };
}
