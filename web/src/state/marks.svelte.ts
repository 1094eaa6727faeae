// The reviewers' marks and notes on pairs and submissions. They belong to the names of the submissions.
import { SvelteMap } from 'svelte/reactivity';
import type { Overview } from '../data/model.ts';
import { server } from '../data/server.ts';
import { safeText } from '../logic/csv.ts';
import { namedIn, pairKey, put, submissionKey, type Change, type Kept } from '../logic/kept.ts';
import type { Entry, Review } from '../logic/review.ts';
import type { MarkStore } from './markstore.ts';
import { keep, kept } from './store.ts';

const NONE: Review = { mark: '', note: '' };

export interface Imported {
  /** Marks and notes that were not there. */
  taken: number;
  /** Those that differ from one's own, which stay. */
  differing: number;
  /** Those on submissions that this report does not have. */
  unknown: number;
}

export class Marks {
  /** The name under which marks are exported. */
  reviewer = $state('');
  private readonly pairKeys: string[];
  private readonly submissionKeys: string[];
  private readonly own = new SvelteMap<string, Review>();
  private readonly others = new SvelteMap<string, SvelteMap<string, Review>>();

  constructor(
    overview: Overview,
    readonly store: MarkStore,
  ) {
    this.reviewer = store.reviewer ?? kept('reviewer') ?? '';
    this.submissionKeys = overview.submissions.map(submissionKey);
    this.pairKeys = overview.pairs.map(({ a, b }) => this.pairKey(a, b));
    store.watch((kept) => this.show(kept));
  }

  /** True if there are marks at all: a visitor neither makes nor sees any. */
  get shown(): boolean {
    return this.store.may || server.marks;
  }

  /** True if the reviewer may mark, and not only see marks. */
  get may(): boolean {
    return this.store.may;
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
    if (!this.may) return;
    this.keep(
      changes.flatMap(([key, change]) =>
        key === '' ? [] : [this.put(null, key, { ...this.of(key), ...change })],
      ),
    );
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
        const [a = '', b = ''] = namedIn(key).map(({ name }) => name);
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
    const changes: Change[] = [];
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
        changes.push(this.put(null, key, { mark: own.mark || mark, note: own.note || note }));
      } else changes.push(this.put(reviewer, key, { mark, note }));
      result.taken++;
    }
    this.keep(changes);
    return result;
  }

  private pairKey(a: number, b: number): string {
    return pairKey(this.submission(a), this.submission(b));
  }

  private put(reviewer: string | null, key: string, review: Review): Change {
    put(this.reviewsOf(reviewer), key, review);
    return { reviewer, key, review };
  }

  private keep(changes: readonly Change[]): void {
    const others = [...this.others].map(([name, reviews]): Kept['others'][number] => [name, [...reviews]]);
    this.store.keep({ own: [...this.own], others }, changes);
  }

  private reviewsOf(reviewer: string | null): SvelteMap<string, Review> {
    if (reviewer === null) return this.own;
    const reviews = this.others.get(reviewer) ?? new SvelteMap<string, Review>();
    this.others.set(reviewer, reviews);
    return reviews;
  }

  private show({ own, others }: Kept): void {
    this.own.clear();
    for (const [key, review] of own) this.own.set(key, review);
    this.others.clear();
    for (const [name, reviews] of others) this.others.set(name, new SvelteMap(reviews));
  }
}
