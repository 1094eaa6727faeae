// Loads the report's data: script files beside the page, each one call of `fanmill(name, data)`.
//
// A page opened from disk may not fetch, but may insert a script element. Each file is loaded once,
// when it is first looked at.
import type { Overview, PairData, TextData } from './model.ts';

type Waiting = { take: (data: unknown) => void };

declare global {
  interface Window {
    fanmill: (name: string, data: unknown) => void;
  }
}

const waiting = new Map<string, Waiting>();
const loaded = new Map<string, Promise<unknown>>();

/** A data file that is missing or is not what it should be. */
export class MissingData extends Error {
  constructor(
    readonly file: string,
    readonly damaged: boolean,
  ) {
    super(`${file} is ${damaged ? 'damaged' : 'missing'}`);
  }
}

/** Defines the function that data files call. */
export function listen(): void {
  window.fanmill = (name, data) => waiting.get(name)?.take(data);
}

function load<T>(name: string): Promise<T> {
  const known = loaded.get(name);
  if (known) return known as Promise<T>;
  const file = `data/${name}.js`;
  const promise = new Promise<T>((resolve, reject) => {
    const script = document.createElement('script');
    const done = (settle: () => void) => {
      waiting.delete(name);
      script.remove();
      settle();
    };
    waiting.set(name, { take: (data) => done(() => resolve(data as T)) });
    script.onerror = () => done(() => reject(new MissingData(file, false)));
    // The call comes before this event; if it did not, the file does not hold what its name says.
    script.onload = () => waiting.has(name) && done(() => reject(new MissingData(file, true)));
    script.src = file;
    document.head.append(script);
  });
  loaded.set(name, promise);
  return promise;
}

export const VERSION = 2;

export async function loadOverview(): Promise<Overview> {
  const overview = await load<Overview>('overview');
  if (overview.format !== 'fanmill report') throw new MissingData('data/overview.js', true);
  return overview;
}

/** The passages of the listed pair `i`, from 0. */
export function loadPair(i: number): Promise<PairData> {
  return load(`pairs/${String(i + 1).padStart(4, '0')}`);
}

export function loadText(submission: number, file: number): Promise<TextData> {
  return load(`texts/${submission}-${file}`);
}
