// What submissions, authors, labels and files are called: their names, or pseudonyms.
import { givingAway, masked, maskedPath, numbered, pseudonyms } from '../logic/anonymise.ts';
import { printable } from '../logic/hidden.ts';
import type { Overview } from '../data/model.ts';

export interface Names {
  submission(i: number): string;
  /** Null if there is none, or if it is hidden. */
  author(i: number): string | null;
  label(i: number): string | null;
  path(submission: number, file: number): string;
  /** A text in which names may occur: a reason, a path. */
  prose(text: string): string;
  /** Words to hide in texts; null if nothing is hidden. */
  mask: ReadonlySet<string> | null;
}

export function realNames(overview: Overview): Names {
  const of = (i: number) => overview.submissions[i];
  const shown = (text: string | null | undefined) => (text ? printable(text) : null);
  return {
    submission: (i) => shown(of(i)?.name) ?? '(no name)',
    author: (i) => shown(of(i)?.author),
    label: (i) => shown(of(i)?.label),
    path: (i, file) => shown(of(i)?.files[file]?.path) ?? '(no file)',
    prose: printable,
    mask: null,
  };
}

export function pseudonymousNames(overview: Overview): Names {
  const names = pseudonyms(overview.submissions.map(({ role, name }) => `${role}\0${name}`));
  const labels = numbered(
    overview.submissions.flatMap(({ label }) => (label ? [label] : [])),
    'Group',
  );
  const known = overview.submissions.flatMap(({ name, author }) => [name, author ?? '']);
  const mask = givingAway(known);
  return {
    submission: (i) => names[i] ?? '(no name)',
    author: () => null,
    label: (i) => labels.get(overview.submissions[i]?.label ?? '') ?? null,
    path: (i, file) => maskedPath(overview.submissions[i]?.files[file]?.path ?? '', file),
    prose: (text) => masked(printable(text), mask),
    mask,
  };
}
