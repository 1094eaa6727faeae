// Files that a person picks or drops, with their paths, and their way to the server.
import { hooks, refusal, Refusal, UNREACHABLE } from './api.ts';

export interface Picked {
  /** The path below what was picked, with `/`. */
  path: string;
  file: File;
}

/** How many files are handled before the page may paint again. */
const SLICE = 500;
const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** What a file input holds; files of a folder keep their paths. */
export const fromInput = (list: FileList): Picked[] =>
  Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }));

/** What was dropped, folders opened. `report` gets the number of files found so far. */
export async function fromDrop(data: DataTransfer, report: (found: number) => void): Promise<Picked[]> {
  // The list is empty after the event, so entries are taken before anything waits.
  const entries = Array.from(data.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const picked: Picked[] = [];
  const open: FileSystemEntry[] = entries.reverse();
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

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) =>
    entry.file(resolve, () =>
      reject(new Refusal(0, `${entry.fullPath} cannot be read. Check that you may open it, then try again.`)),
    ),
  );

async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // A browser hands out at most a hundred at a time, and nothing at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, () =>
        reject(
          new Refusal(
            0,
            `The folder ${folder.fullPath} cannot be read. Check that you may open it, then try again.`,
          ),
        ),
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

export interface Batch {
  title: string;
  settings: unknown;
  submissions: readonly Picked[];
  base: readonly Picked[];
}

/** Sends a batch; `report` gets the bytes sent and the bytes in all. Resolves to the batch's id. */
export async function send(
  course: string,
  batch: Batch,
  report: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  form.append('title', batch.title);
  form.append('settings', JSON.stringify(batch.settings));
  let added = 0;
  for (const field of ['base', 'submissions'] as const) {
    for (const { path, file } of batch[field]) {
      form.append(field, file, path);
      if (++added % SLICE === 0) await breathe();
    }
  }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/courses/${encodeURIComponent(course)}/batches`);
    request.setRequestHeader('X-CSRF-Token', hooks.csrf);
    request.upload.onprogress = ({ loaded, total }) => report(loaded, total);
    request.onload = () => {
      if (request.status < 200 || request.status >= 300) {
        reject(refusal(request.status, request.responseText, request.getResponseHeader('Retry-After')));
        return;
      }
      try {
        resolve(String((JSON.parse(request.responseText) as { id: unknown }).id));
      } catch {
        reject(
          new Refusal(
            request.status,
            'The server took the files, but its answer cannot be read. Reload the page.',
          ),
        );
      }
    };
    request.onerror = () =>
      reject(
        new Refusal(
          0,
          `The upload broke off. Either a file has changed or moved since you picked it, or the connection was lost. ${UNREACHABLE.slice(UNREACHABLE.indexOf('Check'))}`,
        ),
      );
    request.onabort = () => reject(new Refusal(0, 'Upload cancelled. Nothing was kept on the server.'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(new Refusal(0, 'Upload cancelled. Nothing was kept on the server.'));
    else request.send(form);
  });
}
