// Ids of pairs and submissions for addresses and for what is saved: they follow from names, so they mean the same pair when ranks have changed, as after late
// submissions. A rank beside them is for people.
import type { Overview } from '../data/model.ts';
import { hash } from '../logic/anonymise.ts';
import { pairKey, submissionKey } from '../logic/kept.ts';
import type { View } from './route.svelte.ts';

const idOf = (key: string) =>
  [hash(key), hash(key, 7)].map((half) => half.toString(16).padStart(8, '0')).join('');

/** The least length, of 8 or more, at which no two ids begin alike. */
function lengthFor(ids: ReadonlySet<string>): number {
  for (let length = 8; length < 16; length++)
    if (new Set([...ids].map((id) => id.slice(0, length))).size === ids.size) return length;
  return 16;
}

export class PermanentIds {
  private readonly ids: Partial<Record<View, string[]>>;
  /** How much of an id `briefly` gives. */
  private readonly lengths: Partial<Record<View, number>> = {};

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

  /** The beginning of the id, for people and the names of files: long enough to tell apart all that the report has. */
  briefly(view: View, number: number): string {
    this.lengths[view] ??= lengthFor(new Set(this.ids[view]));
    return this.of(view, number)?.slice(0, this.lengths[view]) ?? String(number);
  }

  /** The number of what has this id, from 1; 0 if the report does not have it. */
  number(view: View, id: string): number {
    return (this.ids[view]?.indexOf(id) ?? -1) + 1;
  }
}
