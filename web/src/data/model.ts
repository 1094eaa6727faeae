// The data that a report's page reads: docs/report.md, "The page's data", as types.
// Made by a test of `crates/fanmill-report/src/page_model.rs`, which says how to make it again.

export const VERSION = 3;

/** What a token is to its reader, by its number. */
export const CLASSES = ['spelled', 'identifier', 'number', 'string', 'keyword', 'word'] as const;

/** The digits in which tokens are written; the first 64 end a number. */
export const DIGITS = ' !#$%&\'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~';

export type Side = 'a' | 'b';

export interface Overview {
  clusters: Cluster[];
  counts: Counts;
  format: 'fanmill report';
  histogram: number[];
  inputs: Inputs;
  nothing_from?: number;
  notices: Notice[];
  page_language?: string;
  pairs: Pair[];
  promises: Promised[];
  settings: Settings;
  sources?: RankedSource[];
  submissions: Submission[];
  title: string | null;
  tool: string;
  unjudged?: Unjudged;
  version: number;
}

export interface Unjudged {
  expected?: number;
  least?: number;
  n_groups?: number;
  n_pairs?: number;
  n_submissions?: number;
  reason: 'all-alike' | 'chosen-sources' | 'mostly-copies' | 'too-few-pairs';
  typical?: number;
}

export interface Promised {
  guarantee: number | null;
  kind: 'chars' | 'code' | 'words';
  max_holders?: number;
  noise: number;
  scheme: string;
  shorter_than?: number;
  text: string;
}

export interface Settings {
  cluster_threshold: number;
  language: string | null;
  max_docs: number | null;
  max_pairs: number;
  min_score: number;
  quotes: boolean;
  threshold_from: 'chance' | 'fitted' | 'set' | 'unjudged';
}

export interface Inputs {
  compared: number;
  degraded: number;
  failed: number;
  seen: number;
  skipped: number;
}

export interface Notice {
  outcome: 'degraded' | 'failed' | 'flagged' | 'skipped';
  path: string;
  reason: string;
  role: 'archive' | 'base' | 'new';
  submission: string;
}

export interface Submission {
  author: string | null;
  boilerplate_tokens: number;
  files: FileHead[];
  label: string | null;
  language?: string;
  licence?: string;
  name: string;
  role: 'archive' | 'new';
  submitted: string | null;
  title?: string;
  tokens: number;
  url?: string;
}

export interface FileHead {
  bytes: number;
  chosen_by: 'batch' | 'content' | 'extension' | 'fallback-code' | 'fallback-prose' | 'file-name' | 'forced' | 'inner-extension' | 'interpreter';
  encoding: string;
  language: string;
  lines: number;
  path: string;
  tokens: number;
}

export interface Counts {
  limited: boolean;
  listed: number;
  possible: number;
  reached: number;
  scored: number;
  standing_out: number;
  supported: number;
}

export interface Pair {
  a: number;
  b: number;
  containment_a: number;
  containment_b: number;
  expected?: number;
  listed_for: 'rare-run' | 'score';
  longest: number;
  matched: number;
  n_moved: number;
  n_passages: number;
  own_earlier: boolean;
  rare: number;
  rare_run: number;
  resemblance: number;
  score: number;
  truncated: boolean;
}

export interface Cluster {
  chain?: number;
  links: number;
  mean: number;
  members: number[];
  weakest: number;
}

export interface RankedSource {
  added: number;
  pair: number;
  variants: number[];
}

export interface PairData {
  metadata: SharedMetadata[];
  passages: Passage[];
}

export interface SharedMetadata {
  path_a: string;
  path_b: string;
  value: string;
  what: 'author' | 'created' | 'last-author' | 'program' | 'revision-ids';
}

export interface Passage {
  matches: Match[];
  moved: boolean;
  tokens: number;
}

export interface Match {
  a: Place;
  b: Place;
  tokens: number;
}

export interface TextData {
  cut: number;
  grey: [number, number, 'frequent' | 'given' | 'quoted'][];
  text: string | null;
  tokens: string;
}

export interface Place {
  end: number;
  file: number;
  first_line: number;
  last_line: number;
  pages?: number[];
  start: number;
}
