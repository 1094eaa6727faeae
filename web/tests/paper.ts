// A report for printing, made up: 300 submissions, one of them of 400 lines, and a pair of many passages.
import type { Passage } from '../src/data/model.ts';
import { classroom } from './classroom.ts';
import { codeTokens } from './tokens.ts';
import type { Report } from './write.ts';

export const SUBMISSIONS = 300;
export const LINES = 400;
export const PASSAGES = 24;

/** Line `n` of submission `i`, from 1: the same in both where they share a passage, and like no other line. */
export const lineOf = (i: number, n: number) =>
  isShared(n)
    ? `  result${n} = combine(result${n - 1}, weights[${n}]);`
    : `  own${i}x${n} = start + ${7 * n};`;

/** Ten lines of every sixteen are shared. */
const isShared = (n: number) => Math.ceil(n / 16) <= PASSAGES && (n - 1) % 16 < 10;

export const textOf = (i: number) => Array.from({ length: LINES }, (_, n) => lineOf(i, n + 1)).join('\n');

export function paperReport(): Report {
  const report = classroom(SUBMISSIONS, 60);
  const { overview } = report;
  const starts = [0, 1].map((i) =>
    textOf(i)
      .split('\n')
      .reduce((all, line) => [...all, all.at(-1)! + line.length + 1], [0]),
  );
  const passages = Array.from({ length: PASSAGES }, (_, number): Passage => {
    const first = 16 * number + 1;
    const place = (i: number) => ({
      file: 0,
      start: starts[i]![first - 1]!,
      end: starts[i]![first + 9]! - 1,
      first_line: first,
      last_line: first + 9,
    });
    return { tokens: 110, moved: number % 5 === 4, matches: [{ tokens: 110, a: place(0), b: place(1) }] };
  });
  overview.title = 'Exercise 4: sorting';
  overview.pairs[0] = {
    ...overview.pairs[0]!,
    n_passages: PASSAGES,
    n_moved: 4,
    longest: 110,
    expected: 0.003,
  };
  overview.submissions = overview.submissions.map((submission, i) =>
    i > 1
      ? submission
      : { ...submission, files: submission.files.slice(0, 1).map((file) => ({ ...file, lines: LINES })) },
  );
  report.pairs.set(0, { passages, metadata: [] });
  for (const i of [0, 1])
    report.texts.set(`${i}-0`, { text: textOf(i), cut: 0, grey: [], tokens: codeTokens(textOf(i)) });
  return report;
}
