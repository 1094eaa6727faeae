// What submissions, authors, labels and files are called: their names, or pseudonyms.
import { numbered, pseudonyms } from '../logic/anonymise.ts';
import { givingAway, masked, maskedPath } from '../logic/mask.ts';
import { printable } from '../logic/hidden.ts';
import { say } from '../logic/say.ts';
import { personOf } from '../logic/person.ts';
import type { Overview } from '../data/model.ts';

export interface Names {
  /** The folder or file, as the program calls it. */
  submission(i: number): string;
  /** The author, or whom the folder's name gives; null if neither says, or if it is hidden. */
  person(i: number): string | null;
  /** The learning platform's number, from the folder's name; null likewise. */
  id(i: number): string | null;
  /** The person, or the folder if the person is not known. */
  title(i: number): string;
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
  const persons = overview.submissions.map(({ name }) => personOf(name));
  const submission = (i: number) => shown(of(i)?.name) ?? say('no-name');
  const person = (i: number) => shown(of(i)?.author) ?? shown(persons[i]?.name);
  return {
    submission,
    person,
    id: (i) => persons[i]?.id ?? null,
    title: (i) => person(i) ?? submission(i),
    label: (i) => shown(of(i)?.label),
    path: (i, file) => shown(of(i)?.files[file]?.path) ?? say('no-file'),
    prose: printable,
    mask: null,
  };
}

export function pseudonymousNames(overview: Overview): Names {
  const names = pseudonyms(overview.submissions.map(({ role, name }) => `${role}\0${name}`));
  const labels = numbered(overview.submissions.flatMap(({ label }) => (label ? [label] : [])));
  const known = overview.submissions.flatMap(({ name, author }) => [name, author ?? '']);
  const mask = givingAway(known);
  const submission = (i: number) => names[i] ?? say('no-name');
  return {
    submission,
    person: () => null,
    id: () => null,
    title: submission,
    label: (i) => {
      const n = labels.get(overview.submissions[i]?.label ?? '');
      return n === undefined ? null : say('group-number', { n: String(n) });
    },
    path: (i, file) => maskedPath(overview.submissions[i]?.files[file]?.path ?? '', file),
    prose: (text) => masked(printable(text), mask),
    mask,
  };
}
