// One wording from the files of a language's folder.
import type { Wording } from '../logic/wording.ts';

/** The wording of each language by its tag, which is the name of its folder, in the order of the tags. */
export function gathered(files: Readonly<Record<string, Partial<Wording>>>): ReadonlyMap<string, Wording> {
  const all = new Map<string, Partial<Wording>>();
  for (const path of Object.keys(files).sort()) {
    const tag = path.split('/')[1]!;
    all.set(tag, { ...all.get(tag), ...files[path] });
  }
  // A test holds that a page has all the words that it uses.
  return all as Map<string, Wording>;
}
