// A report of 2,000 submissions, made up: most pairs are small, the first is two files of 5,000
// lines, the second two of 100,000.
import {
  VERSION,
  type Match,
  type Overview,
  type Pair,
  type Passage,
  type Submission,
} from '../src/data/model.ts';
import { linked } from './linked.ts';
import { codeTokens } from './tokens.ts';
import type { Report } from './write.ts';

const SUBMISSIONS = 2000;
export const BIG = 5_000;
export const HUGE = 100_000;

/** Linear congruential, so that every run has the same report. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

export function program(lines: number, seed: number, prefix: string): string {
  const next = random(seed);
  const out: string[] = [];
  while (out.length < lines) {
    const n = out.length;
    out.push(`    /** Step ${n}: what is done here matters little. */`);
    out.push(`    static int ${prefix}${n}(int first, String second) {`);
    out.push(`        int total = first * ${Math.floor(next() * 1000)} + second.length();`);
    out.push(
      `        for (int i = 0; i < total; i++) { total -= ${prefix}${Math.floor(next() * n)}(i, "text ${n}"); }`,
    );
    out.push('        return total;');
    out.push('    }');
    out.push('');
  }
  return out.slice(0, lines).join('\n');
}

function offsets(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return starts;
}

/** Passages of 20 lines in every 50, the later half of them in reversed order. */
function passages(a: string, b: string, lines: number): Passage[] {
  const [startsA, startsB] = [offsets(a), offsets(b)];
  const count = Math.floor(lines / 50);
  return Array.from({ length: count }, (_, i) => {
    const moved = i >= count / 2;
    const from = i * 50 + 1;
    const to = (moved ? count - 1 - i + Math.floor(count / 2) : i) * 50 + 1;
    const place = (starts: number[], line: number) => ({
      file: 0,
      start: starts[line - 1]!,
      end: starts[line + 19]! - 1,
      first_line: line,
      last_line: line + 19,
    });
    const match: Match = { tokens: 140, a: place(startsA, from), b: place(startsB, to) };
    return { tokens: 140, moved, matches: [match] };
  });
}

function submission(i: number, lines: number): Submission {
  const day = 1 + (i % 27);
  return {
    name: `student-${String(i + 1).padStart(4, '0')}`,
    role: i >= SUBMISSIONS - 100 ? 'archive' : 'new',
    author: `Person Number ${i + 1}`,
    label: `group ${String.fromCharCode(65 + (i % 9))}`,
    submitted: `2026-03-${String(day).padStart(2, '0')}T${String(i % 24).padStart(2, '0')}:15:00Z`,
    files: [
      {
        path: 'Main.java',
        language: 'java',
        chosen_by: 'extension',
        encoding: 'UTF-8',
        bytes: lines * 40,
        lines,
        tokens: lines * 8,
      },
    ],
    tokens: lines * 8,
    boilerplate_tokens: 0,
  };
}

const linesOf = (i: number) => (i < 2 ? BIG : i < 4 ? HUGE : 120);

/** A year of 1,200 submissions and 6,000 small pairs: chains of pairs link most of them at .40. Others resemble nobody. */
export function year(others = 0): Report {
  const next = random(7);
  const [size, n] = [1200, 6000];
  const report = synthetic(2);
  const known = new Set<string>();
  const [first] = report.overview.pairs;
  const pairs: Pair[] = [];
  while (pairs.length < n) {
    const a = Math.floor(next() * (size - 1));
    const b = Math.min(size - 1, a + 1 + Math.floor(next() * (next() < 0.9 ? 9 : 400)));
    if (known.has(`${a} ${b}`)) continue;
    known.add(`${a} ${b}`);
    const score = 1 - pairs.length / n;
    pairs.push({ ...first!, a, b, score, containment_a: score, containment_b: score, truncated: false });
  }
  const histogram = Array.from({ length: 20 }, () => n / 20);
  const { counts } = report.overview;
  report.overview = linked({
    ...report.overview,
    submissions: [
      ...report.overview.submissions.slice(0, size),
      ...report.overview.submissions
        .slice(0, others)
        .map((one) => ({ ...one, name: `${one.name}, another` })),
    ],
    counts: { ...counts, reached: n, supported: n, listed: n },
    histogram,
    pairs,
  });
  report.pairs = new Map(pairs.slice(0, 1).map((_, i) => [i, report.pairs.get(0)!]));
  return report;
}

export function synthetic(PAIRS = 2500): Report {
  const next = random(42);
  const submissions = Array.from({ length: SUBMISSIONS }, (_, i) => submission(i, linesOf(i)));
  const pairs: Pair[] = [];
  const report: Report = { overview: null as unknown as Overview, pairs: new Map(), texts: new Map() };
  const textOf = (i: number) => {
    const key = `${i}-0`;
    let known = report.texts.get(key);
    if (!known) {
      const text = program(linesOf(i), i + 1, i % 2 ? 'renamed' : 'step');
      report.texts.set(
        key,
        (known = {
          text,
          cut: 0,
          grey: [[0, 60, 'given']],
          tokens: codeTokens(text),
        }),
      );
    }
    return known.text!;
  };
  for (let n = 0; n < PAIRS; n++) {
    // The first two are the large ones; then chains within groups of ten, so that there are clusters.
    const a = n < 2 ? 2 * n : 4 + Math.floor(next() * (SUBMISSIONS - 120));
    const b =
      n < 2 ? 2 * n + 1 : Math.min(SUBMISSIONS - 1, Math.floor(a / 10) * 10 + 10 + Math.floor(next() * 9));
    const [low, high] = [Math.min(a, b), a === b ? a + 1 : Math.max(a, b)];
    const found = passages(textOf(low), textOf(high), linesOf(low));
    report.pairs.set(n, { passages: found, metadata: [] });
    const share = 1 - n / PAIRS;
    pairs.push({
      a: low,
      b: high,
      score: share * 0.99,
      containment_a: share * 0.9,
      containment_b: share * 0.8,
      resemblance: share * 0.7,
      rare: 85,
      listed_for: 'score',
      longest: 140,
      rare_run: 0,
      matched: 140 * found.length,
      truncated: n === 1,
      own_earlier: false,
      n_passages: found.length,
      n_moved: found.filter(({ moved }) => moved).length,
    });
  }
  const histogram = Array.from(
    { length: 20 },
    (_, i) => pairs.filter(({ score }) => Math.floor(score * 20) === i).length,
  );
  histogram[0] = 1_500_000;
  report.overview = linked({
    format: 'fanmill report',
    version: VERSION,
    title: null,
    tool: 'fanmill 0.1.0',
    promises: [
      {
        kind: 'code',
        scheme: 'code/k=11,t=24/roc(r=2)/xxh3',
        noise: 11,
        guarantee: 24,
        text: 'a shared passage of 24 tokens of code or more is always found; nothing shorter than 11 is ever shown',
      },
    ],
    settings: {
      min_score: 0,
      max_pairs: PAIRS,
      cluster_threshold: 0.4,
      max_docs: null,
      quotes: false,
      threshold_from: 'chance',
      language: null,
    },
    inputs: { seen: 2003, compared: 2000, degraded: 1, skipped: 1, failed: 1 },
    notices: [
      {
        role: 'new',
        submission: 'student-0007',
        path: 'Main.java',
        outcome: 'flagged',
        reason: 'holds 3 hidden characters',
      },
      { role: 'new', submission: 'student-0008', path: 'photo.png', outcome: 'skipped', reason: 'binary' },
      {
        role: 'new',
        submission: 'student-0009',
        path: 'work.zip',
        outcome: 'failed',
        reason: 'the archive is damaged',
      },
    ],
    submissions,
    counts: {
      possible: 1_900_000,
      scored: 1_502_500,
      standing_out: 0,
      reached: PAIRS,
      supported: PAIRS,
      limited: false,
      listed: PAIRS,
    },
    histogram,
    pairs,
    clusters: [],
  });
  return report;
}
