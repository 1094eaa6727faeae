// Marks in this browser's storage.
//
// They belong to the assignment: a report is of the same assignment as an earlier one if at least half of the
// submissions that one of them has are unchanged in the other. So marks outlive a late submission, and those of
// two assignments of one class do not mix.
import type { Overview } from '../data/model.ts';
import { hash } from '../logic/anonymise.ts';
import { keptIn, submissionKey, type Kept } from '../logic/kept.ts';
import type { MarkStore } from './markstore.ts';
import { keep, kept, keptUnder } from './store.ts';

/** What is kept for one assignment. */
interface Stored extends Kept {
  /** A hash of each submission's name and files, 8 digits each. */
  submissions: string;
}

export class BrowserMarks implements MarkStore {
  readonly reviewer = null;
  readonly may = true;
  /** The browser says by itself if it keeps nothing: `lasting` in `store.ts`. */
  readonly trouble = '';
  private readonly key: string;
  private readonly submissions: string[];
  private readonly names: string[];

  constructor(overview: Overview) {
    this.names = overview.submissions.map(submissionKey);
    this.submissions = overview.submissions.map(({ files }, i) => {
      const contents = files.map(({ path, bytes }) => `${path}\0${bytes}`).join('\0');
      return hash(`${this.names[i]}\0${contents}`).toString(16).padStart(8, '0');
    });
    const hashes = this.submissions.join('');
    this.key = this.sameAssignment() ?? `review:${hash(hashes).toString(16)}${hash(hashes, 7).toString(16)}`;
  }

  watch(show: (kept: Kept) => void): void {
    show(read(kept(this.key) ?? this.earlier()));
    window.addEventListener('storage', ({ key }) => {
      if (key === null || key.endsWith(this.key)) show(read(kept(this.key)));
    });
  }

  keep(all: Kept): void {
    const stored: Stored = { submissions: this.submissions.join(''), ...all };
    keep(this.key, JSON.stringify(stored));
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
    const all = this.names.join('\0\0');
    const set = `${hash(all).toString(16)}${hash(all, 7).toString(16)}`;
    const marks = kept(`marks:${set}`);
    if (marks === null || (kept(`taken:${set}`) ?? this.key) !== this.key) return null;
    keep(`taken:${set}`, this.key);
    return marks;
  }
}

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
  const submissions = typeof stored.submissions === 'string' ? stored.submissions : '';
  return { submissions, ...keptIn(stored) };
}
