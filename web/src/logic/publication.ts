// Facts that a library states about a published text, as a report shows them.
import type { Submission } from '../data/model.ts';
import { printable } from './hidden.ts';

export interface Published {
  title: string | null;
  address: string | null;
  /** The address, if a browser may open it. */
  link: string | null;
  /** Author, licence, language and date, in one line. */
  rest: string;
}

/** The facts of a source; null if its library states none. */
export function publishedIn(submission: Submission | undefined): Published | null {
  if (!submission) return null;
  const { title, url, licence, language, author, submitted } = submission;
  if (!title && !url && !licence && !language) return null;
  const stated = [author, licence, language, submitted].filter((fact) => !!fact);
  return {
    title: title ? printable(title) : null,
    address: url ? printable(url) : null,
    link: url && isOnTheWeb(url) ? url : null,
    rest: stated.map((fact) => printable(fact!)).join(' · '),
  };
}

/** Tells addresses of the web from scripts and other schemes, which are shown and never opened. */
function isOnTheWeb(address: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}
