// What a reader sets aside on a submission's view: its bibliography, and submissions with all that is shared with them. It counts as
// boilerplate does, and the shares are counted again without it. Kept in the address.
import { bibliographyOf, cutOut, united, type Span } from '../logic/bibliography.ts';
import { sharedTokens } from '../logic/coverage.ts';
import type { Grey, SourceFile } from '../logic/source.ts';
import { strokesOf } from '../logic/strokes.ts';
import { depthsOf, type Held, type Partner } from './partners.svelte.ts';
import { router } from './route.svelte.ts';

export interface Aside {
  bibliography: boolean;
  /** Numbers of pairs, from 0. */
  pairs: ReadonlySet<number>;
}

export function asideInAddress(): Aside {
  const { params } = router.current;
  const numbers = (params.get('without') ?? '').split('.').map(Number);
  return {
    bibliography: params.get('aside') === 'bibliography',
    pairs: new Set(numbers.filter((number) => number > 0).map((number) => number - 1)),
  };
}

export const setBibliographyAside = (on: boolean) => router.set({ aside: on ? 'bibliography' : null });

export function setPairAside(pair: number, on: boolean): void {
  const { pairs } = asideInAddress();
  const left = [...pairs].filter((other) => other !== pair);
  const numbers = (on ? [...left, pair] : left).map((one) => one + 1).sort((x, y) => x - y);
  router.set({ without: numbers.join('.') || null });
}

/** Per file: what is set aside, ascending and apart. */
export function holesIn(
  files: readonly SourceFile[],
  partners: readonly Partner[],
  held: Held,
  aside: Aside,
): Span[][] {
  const spans = files.map((file) =>
    (aside.bibliography ? [bibliographyOf(file)] : []).filter((one) => one !== null),
  );
  for (const { pair, side } of partners) {
    if (!aside.pairs.has(pair)) continue;
    strokesOf(held.get(pair) ?? [], side, files.length).forEach(({ matches }, file) =>
      spans[file]?.push(...matches),
    );
  }
  return spans.map(united);
}

/** The files with what is set aside as boilerplate. */
export function withAside(files: readonly SourceFile[], holes: readonly Span[][]): SourceFile[] {
  return files.map((file, i) => {
    const own = holes[i] ?? [];
    if (own.length === 0) return file;
    const added = own.map((span): Grey => ({ start: span.start, end: span.end, why: 'given' }));
    const grey = [...cutOut(file.grey, own), ...added].sort((x, y) => x.start - y.start);
    return { ...file, grey };
  });
}

/** The part of the tokens that count which lie in passages with one partner. */
export function shareWith(files: readonly SourceFile[], partner: Partner, held: Held): number {
  const { counted, shared } = sharedTokens(files, depthsOf([partner], held, files.length));
  return counted === 0 ? 0 : shared / counted;
}

/** Tokens of the bibliography that would count without this. */
export function bibliographyTokens(files: readonly SourceFile[]): number {
  const spans = files.map((file) => [bibliographyOf(file)].filter((one) => one !== null));
  const depths = spans.map((own) => own.map((span) => ({ ...span, depth: 1 })));
  return sharedTokens(files, depths).shared;
}
