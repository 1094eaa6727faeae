// A report of two essays, made up: hard line ends at 64 columns in one and none in the other, a list, and
// passages that begin and end within sentences.
import type { PairData, Passage } from '../src/data/model.ts';
import { classroom } from './classroom.ts';
import { wordTokens } from './tokens.ts';
import type { Report } from './write.ts';

const WORDS =
  'river stone autumn quietly 1914 market carries window letters, nobody remembers lantern two'.split(' ');

/** A sentence that no other is like. */
export const sentence = (n: number) =>
  `Sentence number ${n} says that ${WORDS.map((_, i) => WORDS[(i * (n + 3) + n) % WORDS.length]).join(' ')}, as ${n} neighbours know.`;

export const paragraph = (n: number) => [0, 1, 2].map((i) => sentence(3 * n + i)).join(' ');

const ITEM =
  '- An item of a list, which is so long that it has to go on in the next row of any pane there is.';

/** Broken at a width as an editor does it. */
export function hardWrapped(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

export const ESSAY_A = [0, 1, 2, 3, 4, 5, 6, -1]
  .map((n) => (n < 0 ? ITEM : hardWrapped(paragraph(n), 64)))
  .join('\n\n');
export const ESSAY_B = [20, 3, 21, 22, 23, 24, 6].map((n) => paragraph(n)).join('\n\n');

/** What the two share: words of the first two sentences of two paragraphs. */
export const SHARED = [3, 6].map((n) => `${sentence(3 * n).slice(9)} ${sentence(3 * n + 1).slice(0, -17)}`);

function placeOf(text: string, shared: string) {
  const pattern = shared.replace(/[.,]/g, '\\$&').replaceAll(' ', '\\s');
  const found = new RegExp(pattern).exec(text)!;
  const line = (at: number) => text.slice(0, at).split('\n').length;
  const [start, end] = [found.index, found.index + found[0].length];
  return { file: 0, start, end, first_line: line(start), last_line: line(end) };
}

/** Two submissions of one essay each; a pair of them with two passages. */
export function essays(): Report {
  const report = classroom(2, 1);
  const { overview } = report;
  const passages = SHARED.map((shared): Passage => {
    const tokens = shared.split(' ').length;
    return {
      tokens,
      moved: false,
      matches: [{ tokens, a: placeOf(ESSAY_A, shared), b: placeOf(ESSAY_B, shared) }],
    };
  });
  overview.title = 'Essays of the autumn';
  overview.pairs = [{ ...overview.pairs[0]!, n_passages: passages.length }];
  overview.submissions = overview.submissions.map((submission) => ({
    ...submission,
    files: [{ ...submission.files[0]!, path: 'essay.txt', language: 'words' }],
  }));
  report.pairs = new Map<number, PairData>([[0, { passages, metadata: [] }]]);
  report.texts = new Map(
    [ESSAY_A, ESSAY_B].map((text, i) => [`${i}-0`, { text, cut: 0, grey: [], tokens: wordTokens(text) }]),
  );
  return report;
}
