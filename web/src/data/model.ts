// The data that a report's page reads: docs/report.md, "The page's data", as types.

export interface Overview {
  format: string;
  version: number;
  tool: string;
  promises: Promised[];
  settings: Settings;
  inputs: { seen: number; compared: number; degraded: number; skipped: number; failed: number };
  notices: Notice[];
  submissions: Submission[];
  counts: {
    possible: number;
    scored: number;
    reached: number;
    supported: number;
    listed: number;
    /** Whether there were more candidates than a run may score. */
    limited: boolean;
  };
  /** Pairs by score, all that were scored: item i counts i/20 <= score < (i+1)/20. */
  histogram: number[];
  pairs: Pair[];
  clusters: { members: number[]; links: number; weakest: number; mean: number }[];
}

export interface Promised {
  kind: string;
  scheme: string;
  noise: number;
  guarantee: number | null;
  text: string;
}

export interface Settings {
  min_score: number;
  max_pairs: number;
  cluster_threshold: number;
  max_docs: number | null;
  language: string | null;
}

export interface Notice {
  submission: string;
  path: string;
  /** `degraded`, `skipped`, `failed` or `flagged`; a later release may add others. */
  outcome: string;
  reason: string;
}

export interface Submission {
  name: string;
  /** `new` or `archive`. */
  role: string;
  author: string | null;
  label: string | null;
  submitted: string | null;
  files: FileHead[];
  tokens: number;
  boilerplate_tokens: number;
}

export interface FileHead {
  path: string;
  language: string;
  /** `extension`, `file-name` and the like. */
  chosen_by: string;
  encoding: string;
  bytes: number;
  lines: number;
  tokens: number;
}

/** A listed pair without its passages. `a` and `b` are indices of submissions. */
export interface Pair {
  a: number;
  b: number;
  score: number;
  containment_a: number;
  containment_b: number;
  resemblance: number;
  rare: number;
  longest: number;
  matched: number;
  truncated: boolean;
  n_passages: number;
  n_moved: number;
}

export interface PairData {
  passages: Passage[];
}

export interface Passage {
  tokens: number;
  moved: boolean;
  matches: Match[];
}

export interface Match {
  tokens: number;
  a: Place;
  b: Place;
}

/** A stretch of one file: UTF-16 code units of the shown text, half-open; lines from 1. */
export interface Place {
  file: number;
  start: number;
  end: number;
  first_line: number;
  last_line: number;
}

export interface TextData {
  /** Null if the text was not to be had any more when the report was written. */
  text: string | null;
  /** Bytes of UTF-8 that were cut off at the end. */
  cut: number;
  /** Boilerplate: start, end, and `given` or `frequent`. */
  grey: [number, number, string][];
}

export type Side = 'a' | 'b';
