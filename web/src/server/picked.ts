// Files that a person picks or drops, with their paths.
import { say } from '../logic/say.ts';
import { Refusal } from './api.ts';

export interface Picked {
  /** The path below what was picked, with `/`. */
  path: string;
  file: File;
}

/** How many files are handled before the page may paint again. */
export const SLICE = 500;
export const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** What a file input holds; files of a folder keep their paths. */
export const fromInput = (list: FileList): Picked[] =>
  Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }));

/** What a page from disk opens folders by: Chromium refuses it the entries below them. */
interface WithHandle extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** What was dropped, folders opened. `report` gets the number of files found so far. */
export async function fromDrop(data: DataTransfer, report: (found: number) => void): Promise<Picked[]> {
  const picked: Picked[] = [];
  const open: FileSystemEntry[] = [];
  const handles: Promise<FileSystemHandle | null>[] = [];
  // The list is empty after the event, so all is taken before anything waits.
  for (const item of data.items as Iterable<WithHandle>) {
    const entry = item.webkitGetAsEntry();
    const file = entry?.isDirectory ? null : item.getAsFile();
    if (file) picked.push({ path: file.name, file });
    else if (location.protocol === 'file:' && item.getAsFileSystemHandle)
      handles.push(item.getAsFileSystemHandle());
    else if (entry) open.unshift(entry);
  }
  for (const handle of await Promise.all(handles)) if (handle) await fromHandle(handle, picked, report);
  while (open.length > 0) {
    // Neighbours are opened together: one after the other, thousands of files take minutes.
    const some = open.splice(-SLICE).reverse();
    const folders: FileSystemEntry[] = [];
    await Promise.all(
      some.map(async (entry) => {
        if (entry.isFile) {
          const path = entry.fullPath.replace(/^\//, '');
          picked.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
        } else if (entry.isDirectory) {
          folders.push(...(await children(entry as FileSystemDirectoryEntry)));
        }
      }),
    );
    open.push(...folders.reverse());
    report(picked.length);
    await breathe();
  }
  return picked;
}

/** Adds the files below a folder. */
async function fromHandle(top: FileSystemHandle, picked: Picked[], report: (found: number) => void) {
  const open: [path: string, handle: FileSystemHandle][] = [[top.name, top]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, handle] = next;
    try {
      if (handle.kind === 'file')
        picked.push({ path, file: await (handle as FileSystemFileHandle).getFile() });
      else
        for await (const child of (handle as FileSystemDirectoryHandle).values())
          open.push([`${path}/${child.name}`, child]);
    } catch {
      throw new Refusal(0, say('unreadable-path', { path }));
    }
    if (picked.length % SLICE === 0) {
      report(picked.length);
      await breathe();
    }
  }
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) =>
    entry.file(resolve, () => reject(new Refusal(0, say('unreadable-path', { path: entry.fullPath })))),
  );

async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // A browser hands out at most a hundred at a time, and nothing at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, () =>
        reject(new Refusal(0, say('unreadable-folder', { path: folder.fullPath }))),
      ),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

export const bytesOf = (picked: readonly Picked[]) => picked.reduce((sum, { file }) => sum + file.size, 0);

/** Adds `more` to `picked`; a path that is there already is replaced. */
export function merge(picked: readonly Picked[], more: readonly Picked[]): Picked[] {
  const all = new Map(picked.map((one) => [one.path, one]));
  for (const one of more) all.set(one.path, one);
  return [...all.values()];
}

/** The names at the top, below the one folder that holds everything, if there is one. */
export function tops(picked: readonly Picked[]): string[] {
  const parts = picked.map(({ path }) => path.split('/'));
  const first = parts[0]?.[0];
  const wrapped = parts.length > 0 && parts.every((part) => part.length > 1 && part[0] === first);
  return [...new Set(parts.map((part) => part[wrapped ? 1 : 0]!))].sort((a, b) => a.localeCompare(b, 'en'));
}
