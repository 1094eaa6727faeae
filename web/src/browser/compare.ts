// Runs a comparison in a worker, once.
import { say } from '../logic/say.ts';
import { Refusal, sentence } from '../server/api.ts';
import type { Picked } from '../server/picked.ts';
import { size } from '../server/words.ts';
import type { Request } from './engine.ts';
import CompareWorker from './worker.ts?worker&inline';
import type { Failure, Message, Progress, Task } from './worker.ts';

/** The most bytes of files that are taken: they, what is unpacked of them and the report share the 4 GB of a page. */
const MOST = 1e9;

/** A report's files by their paths. */
export type Report = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Resolves to the report, or to null if `signal` ends it before. */
export async function compare(
  files: Picked[],
  request: Request,
  tell: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Report | null> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MOST) throw refused(say('too-many-bytes', { size: size(bytes), most: size(MOST) }));
  const module = await unpacked();
  if (signal.aborted) return null;
  const worker = new CompareWorker();
  try {
    return await new Promise<Report | null>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
      worker.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.kind === 'progress') tell(data.progress);
        else if (data.kind === 'report') resolve(data.files);
        else if (data.kind === 'failure') reject(refused(inWords(data)));
      };
      worker.onerror = () => reject(refused(say('cannot-start')));
      const task: Task = { module, work: { files, request } };
      worker.postMessage(task, [module.buffer]);
    });
  } finally {
    worker.terminate();
  }
}

/** The names of the languages that the module reads. */
export async function languages(): Promise<string[]> {
  const module = await unpacked();
  const worker = new CompareWorker();
  try {
    return await new Promise<string[]>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Message>) => {
        if (data.kind === 'languages') resolve(data.names);
        else if (data.kind === 'failure') reject(refused(inWords(data)));
      };
      worker.onerror = () => reject(refused(say('no-languages')));
      const task: Task = { module, work: null };
      worker.postMessage(task, [module.buffer]);
    });
  } finally {
    worker.terminate();
  }
}

function inWords({ why, said }: Failure): string {
  switch (why) {
    case 'refused':
      return sentence(said);
    case 'memory':
      return say('no-memory');
    case 'fault':
      return say('own-fault', { fault: said });
    case 'changed':
      return say('file-changed', { path: said });
    case 'unexpected':
      return say('unexpected-error', { error: said });
  }
}

/** What is shown as it is. */
const refused = (words: string) => new Refusal(0, words);

/** The module, which is in the page, packed. */
async function unpacked(): Promise<Uint8Array<ArrayBuffer>> {
  const text = document.getElementById('engine')?.textContent ?? '';
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
