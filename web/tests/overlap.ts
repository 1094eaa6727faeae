// Texts and controls of a page that lie on each other, by their boxes.
import type { Page } from 'playwright-core';

/** Texts that overlap other texts or foreign controls, and what is wider than the window. */
export function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Piece {
      element: Element;
      said: string;
      box: [left: number, top: number, right: number, bottom: number];
    }
    /** Pixels in both directions from which on boxes count as lying on each other. */
    const DEEP = 3;
    const clipped = (element: Element, rect: DOMRect): Piece['box'] => {
      const box: Piece['box'] = [rect.left, rect.top, rect.right, rect.bottom];
      for (let up: Element | null = element; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (style.overflow === 'visible' && style.clipPath === 'none') continue;
        const { left, top, right, bottom } = up.getBoundingClientRect();
        const shut = style.clipPath !== 'none';
        box[0] = Math.max(box[0], left);
        box[1] = Math.max(box[1], top);
        box[2] = shut ? box[0] : Math.min(box[2], right);
        box[3] = Math.min(box[3], bottom);
      }
      return box;
    };
    const isLarge = ({ box: [left, top, right, bottom] }: Piece) =>
      right - left > DEEP && bottom - top > DEEP;
    const texts: Piece[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      if (!node.textContent?.trim() || element.closest('option, script, style')) continue;
      // Also what a closed list keeps back.
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects())
        texts.push({ element, said: node.textContent.trim().slice(0, 40), box: clipped(element, rect) });
    }
    const controls = [...document.querySelectorAll('button, input, select, .button')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element): Piece => ({
        element,
        said: element.getAttribute('aria-label') ?? element.textContent!.trim().slice(0, 40),
        box: clipped(element, element.getBoundingClientRect()),
      }));
    const modal = document.querySelector('dialog[open]');
    const isSeen = (piece: Piece) =>
      isLarge(piece) && piece.box[1] >= 0 && (!modal || modal.contains(piece.element));
    /** What stays in its place while other things scroll below it, and covers them. */
    const layer = (element: Element) => {
      for (let up: Element | null = element; up; up = up.parentElement)
        if (['sticky', 'fixed'].includes(getComputedStyle(up).position)) return up;
      return null;
    };
    const pieces = [...texts.filter(isSeen), ...controls.filter(isSeen)].sort((x, y) => x.box[1] - y.box[1]);
    const found: string[] = [];
    pieces.forEach((one, i) => {
      for (let n = i + 1; n < pieces.length && pieces[n]!.box[1] < one.box[3] - DEEP; n++) {
        const other = pieces[n]!;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const wide = Math.min(one.box[2], other.box[2]) - Math.max(one.box[0], other.box[0]);
        const deep = Math.min(one.box[3], other.box[3]) - other.box[1];
        if (wide > DEEP && deep > DEEP && layer(one.element) === layer(other.element))
          found.push(`${one.said} | ${other.said} (${Math.round(wide)} × ${Math.round(deep)})`);
      }
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} pixels too wide`);
    return found;
  });
}
