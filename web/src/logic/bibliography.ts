// The bibliography of an essay: from its heading to the end, or to an appendix.
import { linesOf } from './lines.ts';
import type { SourceFile } from './source.ts';

const NUMBER = '(?:#{1,6}\\s*)?(?:(?:\\d{1,2}|[ivx]{1,4})(?:\\.\\d{1,2})*[.)]?\\s+)?';
const NAMES =
  'references|reference list|bibliography|works cited|literature|sources|literatur|literaturverzeichnis|quellen|quellenverzeichnis|bibliographie|bibliografie|références|bibliografía|referencias|bibliografia|riferimenti|referências|litteratur|literatuur|källor';
const HEADING = new RegExp(`^\\s*${NUMBER}(?:${NAMES})\\s*:?\\s*$`, 'iu');
const APPENDIX = new RegExp(
  `^\\s*${NUMBER}(?:appendix|appendices|anhang|annexe?|anexo|allegat[oi])\\b.{0,60}$`,
  'iu',
);

/** A stretch of a text. */
export interface Span {
  start: number;
  end: number;
}

/** The bibliography of prose, by its last heading; null if there is none. */
export function bibliographyOf({ text, prose }: Pick<SourceFile, 'text' | 'prose'>): Span | null {
  if (!prose || text === null) return null;
  const lines = linesOf(text);
  const heading = lines.findLastIndex(
    ([start, end]) => end - start < 80 && HEADING.test(text.slice(start, end)),
  );
  if (heading < 0) return null;
  const after = lines.findIndex(
    ([start, end], i) => i > heading && end - start < 80 && APPENDIX.test(text.slice(start, end)),
  );
  const end = after < 0 ? text.length : lines[after]![0];
  return { start: lines[heading]![0], end };
}

/** The union of some stretches: ascending and apart. */
export function united(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const { start, end } of [...spans].sort((x, y) => x.start - y.start)) {
    const last = out.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (end > start) out.push({ start, end });
  }
  return out;
}

/** What is left of some stretches outside of holes, which ascend and are apart. */
export function cutOut<T extends Span>(spans: readonly T[], holes: readonly Span[]): T[] {
  if (holes.length === 0) return [...spans];
  return spans.flatMap((span) => {
    const left: T[] = [];
    let from = span.start;
    for (const { start, end } of holes) {
      if (end <= from) continue;
      if (start >= span.end) break;
      if (start > from) left.push({ ...span, start: from, end: start });
      from = end;
    }
    if (from < span.end) left.push({ ...span, start: from, end: span.end });
    return left;
  });
}
