// The words of the report's page, in every language that has a folder here.
import type { Wording } from '../logic/wording.ts';
import { gathered } from './gathered.ts';

export const WORDINGS = gathered(
  import.meta.glob<Partial<Wording>>('./*/{common,report,student}.json', { eager: true, import: 'default' }),
);
