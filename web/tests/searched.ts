// The made-up report of an essay that was searched for in libraries: three sources, and two variants of one.
import type { PairData, Passage } from '../src/data/model.ts';
import { essays, ESSAY_A, ESSAY_B } from './essays.ts';
import { wordTokens } from './tokens.ts';
import type { Report } from './write.ts';

const ARTICLES = ['Lantern', 'Lantern (mirror)', 'Window', 'Market', 'Lantern 2019'];

/** The essay is submission 1; the sources are all the others, in the order of their names. */
export function searched(): Report {
  const report = essays();
  const { overview } = report;
  const [text, source] = overview.submissions;
  const both = report.pairs.get(0)!.passages;
  const shared: Passage[][] = [both, both, [both[1]!], [both[0]!], both];
  const pair = overview.pairs[0]!;
  overview.title = null;
  overview.submissions = [
    { ...text!, tokens: ESSAY_A.split(/\s+/).length },
    ...ARTICLES.map((title, i) => ({
      ...source!,
      name: `wiki.zim/https://wiki.example/${title.replaceAll(' ', '_')}`,
      role: 'archive' as const,
      author: null,
      label: null,
      title,
      // An address that a browser must not open is shown, and is no link.
      url: i === 3 ? 'javascript:alert(1)' : `https://wiki.example/${title.replaceAll(' ', '_')}`,
      licence: 'CC BY-SA 4.0',
      language: 'en',
      submitted: '2026-03-01',
    })),
  ];
  const counted = (passages: readonly Passage[]) => passages.reduce((sum, { tokens }) => sum + tokens, 0);
  overview.pairs = shared.map((passages, i) => ({
    ...pair,
    a: 0,
    b: i + 1,
    // Two are below any threshold: sources of a search count whatever their score is.
    score: i === 2 || i === 3 ? 0.01 : 0.9,
    containment_a: counted(passages) / ESSAY_A.split(/\s+/).length,
    matched: counted(passages),
    n_passages: passages.length,
  }));
  overview.sources = [
    { pair: 0, added: counted(both), variants: [1, 4] },
    { pair: 2, added: 0, variants: [] },
    { pair: 3, added: 0, variants: [] },
  ];
  overview.clusters = [];
  report.pairs = new Map(shared.map((passages, i): [number, PairData] => [i, { passages, metadata: [] }]));
  report.texts = new Map(
    [ESSAY_A, ...ARTICLES.map(() => ESSAY_B)].map((own, i) => [
      `${i}-0`,
      { text: own, cut: 0, grey: [], tokens: wordTokens(own) },
    ]),
  );
  return report;
}
