// Ids of pairs and submissions for addresses and for what is saved: they follow from names, so they mean the same pair when ranks have changed, as after late
// submissions. A rank beside them is for people.
import type { Overview } from '../data/model.ts';
import { hash } from '../logic/anonymise.ts';
import { pairKey, submissionKey } from '../logic/kept.ts';
import type { View } from './route.svelte.ts';

const idOf = (key: string) =>
  [hash(key), hash(key, 7)].map((half) => half.toString(16).padStart(8, '0')).join('');

export class PermanentIds {
  private readonly ids: Partial<Record<View, string[]>>;

  constructor({ submissions, pairs }: Overview) {
    const keys = submissions.map(submissionKey);
    this.ids = {
      submission: keys.map(idOf),
      pair: pairs.map(({ a, b }) => idOf(pairKey(keys[a] ?? '', keys[b] ?? ''))),
    };
  }

  /** The id of what has this number, from 1; null where views have no ids. */
  of(view: View, number: number): string | null {
    return this.ids[view]?.[number - 1] ?? null;
  }

  /** The beginning of the id, for people and the names of files. */
  briefly(view: View, number: number): string {
    return this.of(view, number)?.slice(0, 8) ?? String(number);
  }

  /** The number of what has this id, from 1; 0 if the report does not have it. */
  number(view: View, id: string): number {
    return (this.ids[view]?.indexOf(id) ?? -1) + 1;
  }
}
