// What the service's API under `/api/v1` sends and takes.

export type Role = 'administrator' | 'teacher' | 'reader';
export type CourseRole = 'owner' | 'teacher' | 'reader';
export type State = 'collecting' | 'queued' | 'running' | 'proposed' | 'done' | 'failed' | 'cancelled';

export interface User {
  id: string;
  name: string;
  role: Role;
  /** Whether a password can be changed; one's own only. */
  has_password?: boolean;
  /** The number by which MOSS clients name this account, and the port that they reach; one's own only. */
  moss_id?: string;
  moss_port?: number;
}
/** How people log in: by a password, or by another service of this name. */
export interface Ways {
  password: boolean;
  service: string | null;
}
export interface Session {
  user: User;
  csrf: string;
  ways: Ways;
}
export interface Account extends User {
  active: boolean;
  /** Whether the person has set a password, or logged in by another service. */
  is_set_up: boolean;
  mail: string | null;
}
export interface Token {
  id: string;
  label: string;
  created: string;
  used: string | null;
}
export interface Course {
  id: string;
  name: string;
  role: CourseRole;
  n_batches: number;
  n_archived: number;
  /** Days from its upload after which a batch is deleted. */
  kept_days: number;
}
export interface Member {
  user_id: string;
  name: string;
  role: CourseRole;
}
export interface Progress {
  step: string;
  done: number;
  total: number;
}
/** The extent to which an input takes part in a comparison. */
export type Extent = 'degraded' | 'skipped' | 'failed' | 'flagged';
/** Extent and findings of a comparison. */
export interface Summary {
  best: number | null;
  compared: 'whole' | 'part' | 'nothing';
  is_cut_off: boolean;
  n_earlier: number;
  n_incomplete: number;
  n_left_out: number;
  n_notices: number;
  n_pairs: number;
  n_standing_out: number | null;
  n_submissions: number;
  n_unread: number;
  nothing: string | null;
  reasons: { n: number; outcome: Extent; reason: string }[];
  taken: string | null;
}
export interface BatchRow {
  id: string;
  title: string;
  state: State;
  created: string;
  n_files: number;
  bytes: number;
  progress: Progress | null;
  error: string | null;
  /** Absent in batches that an earlier release has compared. */
  summary: Summary | null;
}
export interface Batch extends BatchRow {
  course: string;
  finished: string | null;
  settings: Settings;
  is_archived: boolean;
  report: string | null;
  report_bytes: number;
}
export interface Change {
  state: State;
  progress: Progress | null;
  error: string | null;
}
/** Late submissions by their names in the upload. */
export interface Joined {
  added: string[];
  replaced: string[];
}
export interface Link {
  id: string;
  created: string;
  expires: string;
  has_password: boolean;
  anonymous: boolean;
  views: number;
}
/** An export, or the search before an erasure. */
export interface Errand {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  progress: Progress | null;
}
/** A batch with an upload that cannot be read. */
export interface NotSearched {
  id: string;
  title: string;
  reason: string;
}
export interface Erased {
  deleted: number;
  compared_again: number;
  not_searched: NotSearched[];
  /** The number of the search of the disk that ends it. */
  number: number;
}
/** The search of the disk after an erasure. */
export interface DiskSearch {
  /** The line of the audit log. */
  finding: string;
  is_clean: boolean;
  is_done: boolean;
}
export type GroupBy = 'auto' | 'person' | 'child' | 'file' | 'root';
export interface Settings {
  lang?: string;
  noise?: number;
  guarantee?: number;
  max_docs?: number | string;
  quotes?: boolean;
  group_by?: GroupBy;
  use_archive?: boolean;
  anonymous?: boolean;
}

export const isOver = (state: State) => state !== 'queued' && state !== 'running';
/** Whether someone with this role in a course may change it. */
export const mayWrite = (role: CourseRole | undefined) => role === 'owner' || role === 'teacher';
