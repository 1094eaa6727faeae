// The words of the page that compares in the browser, in every language that has a folder here.
import type { Wording } from '../logic/wording.ts';
import { gathered } from './gathered.ts';

export const WORDINGS = gathered(
  import.meta.glob<Partial<Wording>>('./*/{browser,common,report,service,student}.json', {
    eager: true,
    import: 'default',
  }),
);
