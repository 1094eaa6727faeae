// What documents of two submissions say of themselves alike, in words.
import type { SharedMetadata } from '../data/model.ts';
import { counted, say } from './say.ts';
import type { Key } from './wording.ts';

const SAID: Record<Exclude<SharedMetadata['what'], 'revision-ids'>, Key> = {
  author: 'said-author',
  'last-author': 'said-last-author',
  created: 'said-created',
  program: 'said-program',
};

/** A sentence without its end: `both name Nadja Keller as author`. */
export function saidInWords({ what, value }: SharedMetadata): string {
  return what === 'revision-ids' ? counted('said-revision-ids', Number(value)) : say(SAID[what], { value });
}
