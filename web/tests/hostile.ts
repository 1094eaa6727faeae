// A report in which every text from outside is hostile, one payload per submission.
import { VERSION, type Overview, type Pair, type Submission } from '../src/data/model.ts';
import { linked } from './linked.ts';
import { PAYLOADS } from './payloads.ts';
import { codeTokens } from './tokens.ts';
import type { Report } from './write.ts';

/** What a damaged report may hold where the types name a few values. */
const damaged = (text: string) => text as never;

export function hostile(): Report {
  const submissions = PAYLOADS.map((payload, i): Submission => ({
    name: payload,
    role: i % 9 === 8 ? 'archive' : 'new',
    author: payload,
    label: payload,
    submitted: i % 3 === 0 ? payload : `2026-03-0${1 + (i % 8)}T10:00:00Z`,
    files: [
      {
        path: `archive.zip!/${payload}`,
        language: payload,
        chosen_by: damaged(payload),
        encoding: payload,
        bytes: 9,
        lines: 9,
        tokens: 9,
      },
      {
        path: payload,
        language: 'javascript',
        chosen_by: damaged(payload),
        encoding: payload,
        bytes: 9,
        lines: 9,
        tokens: 9,
      },
    ],
    tokens: 40,
    boilerplate_tokens: 2,
  }));
  const report: Report = { overview: null as unknown as Overview, pairs: new Map(), texts: new Map() };
  const pairs: Pair[] = [];
  PAYLOADS.forEach((payload, i) => {
    const line = `${payload} // ${payload}\n`;
    const text = line.repeat(12);
    for (const file of [0, 1])
      report.texts.set(`${i}-${file}`, {
        text,
        cut: 3,
        grey: [[2, 9, damaged(payload)]],
        tokens: file === 0 ? codeTokens(text) : payload,
      });
    const b = (i + 1) % PAYLOADS.length;
    const place = { file: 1, start: 0, end: 12, first_line: 1, last_line: 3 };
    report.pairs.set(i, {
      metadata: [{ what: 'author', value: payload, path_a: payload, path_b: payload }],
      passages: [
        { tokens: 9, moved: false, matches: [{ tokens: 9, a: place, b: place }] },
        {
          tokens: 5,
          moved: true,
          matches: [
            {
              tokens: 5,
              a: { ...place, file: 0, end: line.length * 2 },
              b: { ...place, file: 0, start: 5, end: 30 },
            },
          ],
        },
      ],
    });
    pairs.push({
      a: i,
      b,
      score: 0.9 - i / 100,
      containment_a: 0.5,
      containment_b: 0.5,
      resemblance: 0.4,
      rare: 85,
      listed_for: 'score',
      longest: 9,
      rare_run: 0,
      matched: 14,
      truncated: true,
      own_earlier: false,
      n_passages: 2,
      n_moved: 1,
    });
  });
  const first = PAYLOADS[0]!;
  report.overview = linked({
    format: 'fanmill report',
    version: VERSION,
    title: null,
    tool: PAYLOADS.join(' '),
    promises: PAYLOADS.map((payload) => ({
      kind: damaged(payload),
      scheme: payload,
      noise: 5,
      guarantee: null,
      text: payload,
    })),
    settings: {
      min_score: 0,
      max_pairs: 500,
      cluster_threshold: 0.4,
      max_docs: 3,
      quotes: false,
      threshold_from: 'chance',
      language: first,
    },
    inputs: { seen: 3, compared: 1, degraded: 1, skipped: 1, failed: 0 },
    notices: PAYLOADS.flatMap((payload) =>
      ['flagged', 'failed', payload].map((outcome) => ({
        role: 'new' as const,
        submission: payload,
        path: payload,
        outcome: damaged(outcome),
        reason: payload,
      })),
    ),
    submissions,
    counts: {
      possible: 9,
      scored: 9,
      reached: 9,
      supported: 9,
      standing_out: 9,
      limited: false,
      listed: pairs.length,
    },
    histogram: Array.from({ length: 20 }, (_, i) => i),
    pairs,
    clusters: [],
  });
  return report;
}
