// What was chosen, as files and a request to the comparison.
import type { Picked } from '../server/picked.ts';
import { settingsOf, type Form } from '../server/settings.ts';
import type { Request } from './engine.ts';

/** Everything that a person can choose. */
export interface Chosen {
  submissions: readonly Picked[];
  base: readonly Picked[];
  archive: readonly Picked[];
  title: string;
  form: Form;
}

const ROLES = ['submissions', 'base', 'archive'] as const;

/** The files with a path for each, and what is to be done with them. */
export function requestOf(choice: Chosen): { files: Picked[]; request: Request } {
  const chosen = ROLES.map((role) => tops(choice[role]));
  const all = chosen.flat();
  // Paths are those that people know, unless two boxes have files of the same name.
  const isClear = new Set(all).size === all.length;
  const prefix = (i: number) => (isClear ? '' : `${ROLES[i]}/`);
  const files = ROLES.flatMap((role, i) =>
    choice[role].map(({ path, file }) => ({ path: prefix(i) + path, file })),
  );
  const [paths, base, archive] = chosen.map((some, i) => some.map((top) => prefix(i) + top));
  const { form, title } = choice;
  const settings = settingsOf(form, false);
  return {
    files,
    request: { ...settings, paths, base, archive, title: title.trim() || undefined },
  };
}

/** The folders and files at the top, each once. */
const tops = (picked: readonly Picked[]) => [...new Set(picked.map(({ path }) => path.split('/')[0]!))];
