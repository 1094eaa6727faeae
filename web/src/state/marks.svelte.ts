// The reviewer's mark and note on each pair, kept in this browser.
//
// They belong to the names of the two submissions, so that they survive a new run over the same
// folder; and to the set of all submissions, so that two reports do not mix.
import { SvelteMap } from 'svelte/reactivity';
import { hash } from '../logic/anonymise.ts';
import type { Overview } from '../data/model.ts';
import { keep, kept } from './store.ts';

export const MARKS = ['copied', 'unsure', 'innocent'] as const;
export type MarkName = (typeof MARKS)[number];

export interface Review {
  mark: MarkName | '';
  note: string;
}

const NONE: Review = { mark: '', note: '' };

export class Marks {
  private readonly key: string;
  private readonly keys: string[];
  private readonly reviews = new SvelteMap<string, Review>();

  constructor(overview: Overview) {
    const name = (i: number) => `${overview.submissions[i]?.role}\0${overview.submissions[i]?.name}`;
    const all = overview.submissions.map((_, i) => name(i)).join('\0\0');
    this.key = `marks:${hash(all).toString(16)}${hash(all, 7).toString(16)}`;
    this.keys = overview.pairs.map(({ a, b }) => [name(a), name(b)].sort().join('\0\0'));
    for (const [key, review] of read(kept(this.key))) this.reviews.set(key, review);
  }

  of(pair: number): Review {
    return this.reviews.get(this.keys[pair] ?? '') ?? NONE;
  }

  set(pair: number, change: Partial<Review>): void {
    const key = this.keys[pair];
    if (key === undefined) return;
    const review = { ...this.of(pair), ...change };
    if (review.mark === '' && review.note === '') this.reviews.delete(key);
    else this.reviews.set(key, review);
    keep(this.key, JSON.stringify([...this.reviews]));
  }

  get count(): number {
    return this.reviews.size;
  }
}

/** Whatever is in the storage may be damaged: only what has the right shape is taken. */
function read(text: string | null): [string, Review][] {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: unknown): [string, Review][] => {
      if (!Array.isArray(entry) || typeof entry[0] !== 'string') return [];
      const { mark, note } = (entry[1] ?? {}) as Partial<Review>;
      const known = MARKS.find((name) => name === mark) ?? '';
      return [[entry[0], { mark: known, note: typeof note === 'string' ? note : '' }]];
    });
  } catch {
    return [];
  }
}
