// What is kept of reviewers' marks: by the names of submissions, in a browser's storage or on a server.
// Either may hold anything, so only what has the right shape is taken.
import type { Submission } from '../data/model.ts';
import { asMark, type Review } from './review.ts';

/** Marks and notes by the key of a pair or submission. */
export type Reviews = Map<string, Review>;

/** One reviewer's new word. The reviewer is null for the page's own. */
export interface Change {
  reviewer: string | null;
  key: string;
  review: Review;
}

export interface Kept {
  own: [string, Review][];
  /** By the reviewer's name. */
  others: [string, [string, Review][]][];
}

type Named = Pick<Submission, 'name' | 'role'>;

export const submissionKey = ({ role, name }: Named) => `${role}\0${name}`;
export const pairKey = (x: string, y: string) => [x, y].sort().join('\0\0');

/** The submissions that a key is about: one, or the two of a pair. */
export function namedIn(key: string): { role: string; name: string }[] {
  return key.split('\0\0').map((one) => {
    const end = one.indexOf('\0');
    return { role: one.slice(0, Math.max(0, end)), name: one.slice(end + 1) };
  });
}

/** Nothing said is nothing kept. */
export function put(reviews: Reviews, key: string, review: Review): void {
  if (review.mark === '' && review.note === '') reviews.delete(key);
  else reviews.set(key, review);
}

export function reviewsIn(found: unknown): [string, Review][] {
  return namedRows(found).map(([key, review]) => [key, reviewIn(review)]);
}

export function keptIn(found: { own?: unknown; others?: unknown }): Kept {
  return {
    own: reviewsIn(found.own),
    others: namedRows(found.others).map(([name, reviews]) => [name, reviewsIn(reviews)]),
  };
}

function namedRows(found: unknown): [string, unknown][] {
  if (!Array.isArray(found)) return [];
  return found.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === 'string');
}

function reviewIn(found: unknown): Review {
  const { mark, note } = (found ?? {}) as Partial<Record<keyof Review, unknown>>;
  return { mark: asMark(String(mark)), note: typeof note === 'string' ? note : '' };
}

/** What a server keeps: the marks of all reviewers, by their names. */
export type Everyone = Map<string, Reviews>;

/** As JSON without the zero bytes of keys, which some databases refuse. */
export function toServer(everyone: Everyone): string {
  const marks = [...everyone].flatMap(([reviewer, reviews]) =>
    [...reviews].map(([key, { mark, note }]) => ({ reviewer, submissions: namedIn(key), mark, note })),
  );
  return JSON.stringify({ marks });
}

/** Null if it is not a list of marks at all; entries that are none are left out. */
export function fromServer(text: string): Everyone | null {
  let found: unknown;
  try {
    found = (JSON.parse(text) as { marks?: unknown } | null)?.marks;
  } catch {
    return null;
  }
  if (!Array.isArray(found)) return null;
  const everyone: Everyone = new Map();
  for (const one of found as unknown[]) {
    const { reviewer, submissions, ...review } = (one ?? {}) as Record<string, unknown>;
    const keys = Array.isArray(submissions) ? submissions.filter(isNamed).map(submissionKey) : [];
    if (typeof reviewer !== 'string' || keys.length < 1 || keys.length > 2) continue;
    const key = keys.length === 2 ? pairKey(keys[0]!, keys[1]!) : keys[0]!;
    put(reviewsOf(everyone, reviewer), key, reviewIn(review));
  }
  return everyone;
}

function isNamed(found: unknown): found is Named {
  const { role, name } = (found ?? {}) as Partial<Record<keyof Named, unknown>>;
  return typeof role === 'string' && typeof name === 'string';
}

/** What everyone says after some changes; `me` is who makes those without a name. */
export function merged(everyone: Everyone, changes: Iterable<Change>, me: string): Everyone {
  const all: Everyone = new Map([...everyone].map(([reviewer, reviews]) => [reviewer, new Map(reviews)]));
  for (const { reviewer, key, review } of changes) put(reviewsOf(all, reviewer ?? me), key, review);
  return all;
}

function reviewsOf(everyone: Everyone, reviewer: string): Reviews {
  const reviews = everyone.get(reviewer) ?? new Map<string, Review>();
  everyone.set(reviewer, reviews);
  return reviews;
}
