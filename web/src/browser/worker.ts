// The comparison beside the page's own thread, which stays quick. It is cancelled by ending the worker.
import type { Picked } from '../server/picked.ts';
import { Ended, Engine, Refused, type Request, type Watch } from './engine.ts';

export interface Task {
  module: Uint8Array<ArrayBuffer>;
  /** What to compare; null to be told the languages. */
  work: { files: Picked[]; request: Request } | null;
}

/** How far it is; `total` is 0 if nobody knows. */
export interface Progress {
  step: string;
  done: number;
  total: number;
}

/** The reason why there is no report: the module's own words, or one that the page has words for. */
export interface Failure {
  why: 'refused' | 'memory' | 'fault' | 'changed' | 'unexpected';
  /** The module's words, the path of a file, or the error. */
  said: string;
}

/** A file that can no longer be read. */
class Changed extends Error {}

export type Message =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'report'; files: Map<string, Uint8Array<ArrayBuffer>> }
  | { kind: 'languages'; names: string[] }
  | ({ kind: 'failure' } & Failure);

/** Milliseconds between two messages about the same step. */
const BETWEEN = 100;

/** Tells the page of progress, but not of every part of it. */
class Told implements Watch {
  private progress: Progress = { step: '', done: 0, total: 0 };
  private next = 0;

  begin(step: string, total: number): void {
    this.progress = { step, done: 0, total };
    this.tell();
  }

  advance(n: number): void {
    this.progress.done += n;
    if (performance.now() >= this.next) this.tell();
  }

  private tell(): void {
    this.next = performance.now() + BETWEEN;
    post({ kind: 'progress', progress: { ...this.progress } });
  }
}

function post(message: Message, moved: Transferable[] = []): void {
  self.postMessage(message, { transfer: moved });
}

async function perform({ module, work }: Task): Promise<void> {
  const told = new Told();
  const engine = await Engine.of(module, told);
  if (!work) {
    post({ kind: 'languages', names: engine.languages() });
    return;
  }
  const { files, request } = work;
  told.begin('taking in files', files.length);
  for (const { path, file } of files) {
    engine.add(path, await bytesOf(path, file));
    told.advance(1);
  }
  const report = engine.compare(request);
  post(
    { kind: 'report', files: report },
    [...report.values()].map(({ buffer }) => buffer),
  );
}

async function bytesOf(path: string, file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Changed(path);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof Refused) return { why: 'refused', said: error.message };
  if (error instanceof Ended) return { why: error.why, said: error.message };
  if (error instanceof Changed) return { why: 'changed', said: error.message };
  return { why: 'unexpected', said: String(error) };
}

self.onmessage = ({ data }: MessageEvent<Task>) => {
  perform(data).catch((error: unknown) => {
    post({ kind: 'failure', ...failureOf(error) });
  });
};
