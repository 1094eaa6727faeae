// Where reviewers' marks are kept: in this browser (`browsermarks.ts`), or on a server (`servermarks.svelte.ts`).
import type { Overview } from '../data/model.ts';
import type { Change, Kept } from '../logic/kept.ts';

/** Makes the store for a report's marks. */
export type MarkStores = (overview: Overview) => MarkStore;

export interface MarkStore {
  /** The name by which a server knows the reviewer, maybe empty; null if the reviewer is free to choose one. */
  readonly reviewer: string | null;
  /** True if the reviewer may mark, and not only see marks. */
  readonly may: boolean;
  /** Gives what is kept, now or as soon as it is known, and again when it was changed elsewhere. Called once. */
  watch(show: (kept: Kept) => void): void;
  /** Keeps everything as it is now; `changes` are what is new in it. */
  keep(all: Kept, changes: readonly Change[]): void;
  /** Why the latest changes are not kept, in a sentence; empty if they are, or soon will be. May be state. */
  readonly trouble: string;
}
