// Looks for traces on a disk: in every file below a folder, and in what archives hold.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';

/** The places below `folder` that hold any of the words, as `file: word`. */
export function traces(folder: string, words: readonly string[]): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    for (const word of words) if (entry.name.includes(word)) found.push(`${path}: ${word} (its name)`);
    if (!entry.isFile()) continue;
    const bytes = readFileSync(path);
    const parts: [string, Uint8Array][] = [[path, bytes]];
    if (path.endsWith('.zip'))
      for (const [name, inner] of Object.entries(unzipSync(bytes))) parts.push([`${path}!${name}`, inner]);
    for (const [place, content] of parts) {
      const held = Buffer.from(content);
      for (const word of words) if (held.includes(word)) found.push(`${place}: ${word}`);
    }
  }
  return found;
}
