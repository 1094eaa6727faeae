// Where the report's data comes from: script files beside the page (`scripts.ts`), a server (`fetched.ts`), or memory (`held.ts`).
import type { Overview, PairData, TextData } from './model.ts';

/** Loads parts of the report when they are first looked at. A part that could not be had may be asked for again. */
export interface Loader {
  overview(): Promise<Overview>;
  /** The passages of the listed pair `i`, from 0. */
  pair(i: number): Promise<PairData>;
  /** A text by submission and file, both from 0. */
  text(submission: number, file: number): Promise<TextData>;
}

/** Gets one data file by its path below `data`, without `.js`; fails with `MissingData`. */
export type Get = (name: string) => Promise<unknown>;

/** Why a part of the report is not there. `refused` and `unreachable` come from servers only. */
export type Fault = 'damaged' | 'missing' | 'refused' | 'unreachable';

export class MissingData extends Error {
  constructor(
    readonly file: string,
    readonly fault: Fault,
  ) {
    super(`${file}: ${fault}`);
  }
}

export const fileOf = (name: string) => `data/${name}.js`;

/** What the call that a data file consists of, `fanmill("name", …);`, is given. */
export function within(name: string, call: string): unknown {
  const [head, tail] = [`fanmill("${name}", `, ');'];
  const whole = call.trimEnd();
  if (!whole.startsWith(head) || !whole.endsWith(tail)) throw new SyntaxError(name);
  return JSON.parse(whole.slice(head.length, -tail.length));
}

/** The report's data files, each got once; one that failed is got again when it is asked for again. */
export class Files implements Loader {
  private readonly loaded = new Map<string, Promise<unknown>>();

  constructor(private readonly get: Get) {}

  async overview(): Promise<Overview> {
    const overview = await this.load<Overview>('overview');
    if (overview.format !== 'fanmill report') throw new MissingData(fileOf('overview'), 'damaged');
    return overview;
  }

  pair(i: number): Promise<PairData> {
    return this.load(`pairs/${String(i + 1).padStart(4, '0')}`);
  }

  text(submission: number, file: number): Promise<TextData> {
    return this.load(`texts/${submission}-${file}`);
  }

  private load<T>(name: string): Promise<T> {
    const known = this.loaded.get(name);
    if (known) return known as Promise<T>;
    const promise = this.get(name);
    this.loaded.set(name, promise);
    promise.catch(() => this.loaded.delete(name));
    return promise as Promise<T>;
  }
}
