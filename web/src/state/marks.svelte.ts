// The reviewers' marks and notes on pairs and submissions, kept in this browser.
//
// They belong to the names of the submissions, and to the assignment: a report is of the same assignment as an
// earlier one if at least half of the submissions that one of them has are unchanged in the other. So marks
// outlive a late submission, and those of two assignments of one class do not mix.
import { SvelteMap } from 'svelte/reactivity';
import { hash } from '../logic/anonymise.ts';
import { safeText } from '../logic/csv.ts';
import { asMark, type Entry, type Review } from '../logic/review.ts';
import type { Overview } from '../data/model.ts';
import { keep, kept, keptUnder } from './store.ts';

const NONE: Review = { mark: '', note: '' };

export interface Imported {
  /** Marks and notes that were not there. */
  taken: number;
  /** Those that differ from one's own, which stay. */
  differing: number;
  /** Those on submissions that this report does not have. */
  unknown: number;
}

/** What is kept for one assignment. */
interface Stored {
  /** A hash of each submission's name and files, 8 digits each. */
  submissions: string;
  own: [string, Review][];
  others: [string, [string, Review][]][];
}

export class Marks {
  /** The name under which marks are exported. */
  reviewer = $state(kept('reviewer') ?? '');
  private readonly key: string;
  private readonly submissions: string[];
  private readonly pairKeys: string[];
  private readonly submissionKeys: string[];
  private readonly own = new SvelteMap<string, Review>();
  private readonly others = new SvelteMap<string, SvelteMap<string, Review>>();

  constructor(overview: Overview) {
    this.submissionKeys = overview.submissions.map(({ role, name }) => `${role}\0${name}`);
    this.pairKeys = overview.pairs.map(({ a, b }) => this.pairKey(a, b));
    this.submissions = overview.submissions.map(({ files }, i) => {
      const contents = files.map(({ path, bytes }) => `${path}\0${bytes}`).join('\0');
      return hash(`${this.submissionKeys[i]}\0${contents}`).toString(16).padStart(8, '0');
    });
    const hashes = this.submissions.join('');
    this.key = this.sameAssignment() ?? `review:${hash(hashes).toString(16)}${hash(hashes, 7).toString(16)}`;
    this.load(kept(this.key) ?? this.earlier());
    window.addEventListener('storage', ({ key }) => {
      if (key === null || key.endsWith(this.key)) this.load(kept(this.key));
    });
  }

  pair(i: number): string {
    return this.pairKeys[i] ?? '';
  }
  submission(i: number): string {
    return this.submissionKeys[i] ?? '';
  }

  of(key: string): Review {
    return this.own.get(key) ?? NONE;
  }

  /** What other reviewers say. */
  ofOthers(key: string): (Review & { reviewer: string })[] {
    return [...this.others].flatMap(([reviewer, reviews]) => {
      const review = reviews.get(key);
      return review ? [{ reviewer, ...review }] : [];
    });
  }

  /** Whether another reviewer's mark is not one's own. */
  differs(key: string): boolean {
    const { mark } = this.of(key);
    return this.ofOthers(key).some((other) => other.mark !== '' && other.mark !== mark);
  }

  set(key: string, change: Partial<Review>): void {
    this.setAll([[key, change]]);
  }

  setAll(changes: readonly [string, Partial<Review>][]): void {
    for (const [key, change] of changes)
      if (key !== '') this.put(this.own, key, { ...this.of(key), ...change });
    this.save();
  }

  /** How many pairs and submissions have a mark or a note. */
  get count(): number {
    return this.own.size;
  }

  setReviewer(name: string): void {
    this.reviewer = name;
    keep('reviewer', name);
  }

  /** All marks, also those on pairs that are no longer listed, by the names of submissions. */
  entries(): (Entry & { key: string })[] {
    const rows = (reviewer: string, reviews: ReadonlyMap<string, Review>) =>
      [...reviews].map(([key, review]) => {
        const [a = '', b = ''] = key.split('\0\0').map((one) => one.slice(one.indexOf('\0') + 1));
        return { key, a, b, reviewer, ...review };
      });
    return [
      ...rows(this.reviewer, this.own),
      ...[...this.others].flatMap(([name, reviews]) => rows(name, reviews)),
    ];
  }

  /** Takes over what a table holds: one's own marks where there are none yet, others' beside them. */
  merge(entries: readonly Entry[], names: (i: number) => string[]): Imported {
    const known = new Map<string, number>();
    this.submissionKeys.forEach((_, i) => names(i).forEach((name) => known.set(safeText(name), i)));
    const result: Imported = { taken: 0, differing: 0, unknown: 0 };
    for (const { a, b, reviewer, mark, note } of entries) {
      const [x, y] = [known.get(a), b === '' ? null : known.get(b)];
      if (x === undefined || y === undefined) {
        result.unknown++;
        continue;
      }
      const key = y === null ? this.submission(x) : this.pairKey(x, y);
      const own = this.of(key);
      const differs = (own.mark && mark && own.mark !== mark) || (own.note && note && own.note !== note);
      if (differs) result.differing++;
      if (reviewer === '' || reviewer === this.reviewer) {
        if (differs) continue;
        this.put(this.own, key, { mark: own.mark || mark, note: own.note || note });
      } else {
        const reviews = this.others.get(reviewer) ?? new SvelteMap<string, Review>();
        this.others.set(reviewer, reviews);
        this.put(reviews, key, { mark, note });
      }
      result.taken++;
    }
    this.save();
    return result;
  }

  private pairKey(a: number, b: number): string {
    return [this.submissionKeys[a], this.submissionKeys[b]].sort().join('\0\0');
  }

  private put(reviews: SvelteMap<string, Review>, key: string, review: Review): void {
    if (review.mark === '' && review.note === '') reviews.delete(key);
    else reviews.set(key, review);
  }

  /** Where the marks of an earlier report on the same assignment are kept; those with the most in common. */
  private sameAssignment(): string | null {
    const here = new Set(this.submissions);
    let best: string | null = null;
    let most = 0;
    for (const key of keptUnder('review:')) {
      const there = read(kept(key)).submissions.match(/.{8}/g) ?? [];
      const common = there.filter((one) => here.has(one)).length;
      if (2 * common >= Math.min(here.size, there.length) && common > most) [best, most] = [key, common];
    }
    return best;
  }

  /** What earlier releases kept, under the set of all names: for the first assignment that asks. */
  private earlier(): string | null {
    const all = this.submissionKeys.join('\0\0');
    const set = `${hash(all).toString(16)}${hash(all, 7).toString(16)}`;
    const marks = kept(`marks:${set}`);
    if (marks === null || (kept(`taken:${set}`) ?? this.key) !== this.key) return null;
    keep(`taken:${set}`, this.key);
    return marks;
  }

  private load(text: string | null): void {
    const { own, others } = read(text);
    this.own.clear();
    for (const [key, review] of own) this.own.set(key, review);
    this.others.clear();
    for (const [name, reviews] of others) this.others.set(name, new SvelteMap(reviews));
  }

  private save(): void {
    const stored: Stored = {
      submissions: this.submissions.join(''),
      own: [...this.own],
      others: [...this.others].map(([name, reviews]) => [name, [...reviews]]),
    };
    keep(this.key, JSON.stringify(stored));
  }
}

/** Whatever is in the storage may be damaged: only what has the right shape is taken. */
function read(text: string | null): Stored {
  let found: unknown = null;
  try {
    found = JSON.parse(text ?? 'null');
  } catch {
    // As good as nothing.
  }
  // Earlier releases kept the reviewer's own marks and nothing else.
  const stored: Partial<Record<keyof Stored, unknown>> = Array.isArray(found)
    ? { own: found }
    : (found ?? {});
  return {
    submissions: typeof stored.submissions === 'string' ? stored.submissions : '',
    own: reviewsIn(stored.own),
    others: named(stored.others).map(([name, reviews]) => [name, reviewsIn(reviews)]),
  };
}

function named(found: unknown): [string, unknown][] {
  if (!Array.isArray(found)) return [];
  return found.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === 'string');
}

function reviewsIn(found: unknown): [string, Review][] {
  return named(found).map(([key, review]) => {
    const { mark, note } = (review ?? {}) as Partial<Record<keyof Review, unknown>>;
    return [key, { mark: asMark(String(mark)), note: typeof note === 'string' ? note : '' }];
  });
}
