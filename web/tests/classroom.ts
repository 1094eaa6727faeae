// A report of one class, made up: folders as Moodle names them, pairs that are easy to foresee.
import { VERSION, type Pair, type Submission } from '../src/data/model.ts';
import { linked } from './linked.ts';
import { codeTokens } from './tokens.ts';
import type { Report } from './write.ts';

const PEOPLE =
  'Ada Bruno Chidi Dana Emre Fatma Goran Hana Ivo Jun Kofi Lea Mina Noor Olga Pia Quin Rosa Sami Tuva Uma Vera Wim Xia Yara Zoe'.split(
    ' ',
  );
const FAMILIES = 'Lindqvist Carvalho Okonjo'.split(' ');

/** The name of submission `i`. */
export const folderOf = (i: number) => `${personOf(i)}_${1_011_840 + i}_assignsubmission_file`;
export const personOf = (i: number) =>
  `${PEOPLE[i % PEOPLE.length]} ${FAMILIES[Math.floor(i / PEOPLE.length) % FAMILIES.length]}`;

function textOf(i: number, lines: number): string {
  const own = (n: number) => `    int step${i}x${n} = ${i * n} + ${n};`;
  const shared = (n: number) => `    total = total + values[${n}] * factor;`;
  return Array.from({ length: lines }, (_, n) => (n >= 20 && n < 30 ? shared(n) : own(n))).join('\n');
}

function submission(i: number, lines: number): Submission {
  const bytes = textOf(i, lines).length;
  return {
    name: folderOf(i),
    role: 'new',
    author: null,
    label: `group ${'ABC'[i % 3]}`,
    submitted: `2026-03-0${1 + (i % 7)}T10:0${i % 10}:00Z`,
    files: ['Main.java', 'Other.java'].map((path) => ({
      path,
      language: 'java',
      chosen_by: 'extension',
      encoding: 'UTF-8',
      bytes,
      lines,
      tokens: 8 * lines,
    })),
    tokens: 16 * lines,
    boilerplate_tokens: 0,
  };
}

/**
 * A class of `size`. The first submission is in pairs with twenty others, `first` and after, so that a search
 * for it finds twenty; from the 47th on they are in no pair. Every file has so many lines.
 */
export function classroom(size = 60, lines = 60): Report {
  const submissions = Array.from({ length: size }, (_, i) => submission(i, lines));
  const report: Report = { overview: null as never, pairs: new Map(), texts: new Map() };
  const pairs: Pair[] = [];
  const add = (a: number, b: number) => {
    const text = textOf(a, lines);
    const placeOfLine = (i: number, n: number) =>
      textOf(i, lines).split('\n').slice(0, n).join('\n').length + 1;
    const place = (i: number) => ({
      file: 0,
      start: placeOfLine(i, 20),
      end: placeOfLine(i, 30) - 1,
      first_line: 21,
      last_line: 30,
    });
    const tokens = 100;
    report.pairs.set(pairs.length, {
      metadata: [],
      passages: [{ tokens, moved: false, matches: [{ tokens, a: place(a), b: place(b) }] }],
    });
    for (const i of [a, b])
      for (const file of [0, 1]) {
        const own = i === a ? text : textOf(i, lines);
        report.texts.set(`${i}-${file}`, { text: own, cut: 0, grey: [], tokens: codeTokens(own) });
      }
    const score = 0.95 - pairs.length / 200;
    pairs.push({
      a,
      b,
      score,
      containment_a: score,
      containment_b: score,
      resemblance: score,
      rare: 100 - pairs.length,
      listed_for: 'score',
      longest: tokens,
      rare_run: 0,
      matched: tokens,
      truncated: false,
      own_earlier: false,
      n_passages: 1,
      n_moved: 0,
    });
  };
  for (let i = 1; i <= 20; i++) {
    add(0, i);
    add(20 + i, 21 + i);
    add(22 + i, 24 + i);
  }
  report.overview = linked({
    format: 'fanmill report',
    version: VERSION,
    title: null,
    tool: 'fanmill 0.1.0',
    promises: [],
    settings: {
      min_score: 0,
      max_pairs: 500,
      cluster_threshold: 0.4,
      max_docs: null,
      quotes: false,
      threshold_from: 'chance',
      language: null,
    },
    inputs: { seen: 2 * size, compared: 2 * size, degraded: 0, skipped: 0, failed: 0 },
    notices: [],
    submissions,
    counts: {
      possible: (size * (size - 1)) / 2,
      scored: pairs.length,
      reached: pairs.length,
      supported: pairs.length,
      standing_out: pairs.length,
      limited: false,
      listed: pairs.length,
    },
    histogram: Array.from(
      { length: 20 },
      (_, i) => pairs.filter(({ score }) => Math.floor(score * 20) === i).length,
    ),
    pairs,
    clusters: [],
  });
  return report;
}
