// The report's data as script files beside the page, each one call of `fanmill(name, data)`.
//
// A page opened from disk may not fetch, but may insert a script element.
import { MissingData, type Loader } from './load.ts';
import type { Overview, PairData, TextData } from './model.ts';

declare global {
  interface Window {
    fanmill: (name: string, data: unknown) => void;
  }
}

export class Scripts implements Loader {
  private readonly waiting = new Map<string, (data: unknown) => void>();
  private readonly loaded = new Map<string, Promise<unknown>>();

  /** Defines the function that data files call. */
  constructor() {
    window.fanmill = (name, data) => this.waiting.get(name)?.(data);
  }

  async overview(): Promise<Overview> {
    const overview = await this.load<Overview>('overview');
    if (overview.format !== 'fanmill report') throw new MissingData('data/overview.js', true);
    return overview;
  }

  pair(i: number): Promise<PairData> {
    return this.load(`pairs/${String(i + 1).padStart(4, '0')}`);
  }

  text(submission: number, file: number): Promise<TextData> {
    return this.load(`texts/${submission}-${file}`);
  }

  /** Each file once; a file that failed again when it is asked for again. */
  private load<T>(name: string): Promise<T> {
    const known = this.loaded.get(name);
    if (known) return known as Promise<T>;
    const promise = this.insert(name);
    this.loaded.set(name, promise);
    promise.catch(() => this.loaded.delete(name));
    return promise as Promise<T>;
  }

  private insert(name: string): Promise<unknown> {
    const file = `data/${name}.js`;
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      const done = (settle: () => void) => {
        this.waiting.delete(name);
        script.remove();
        settle();
      };
      this.waiting.set(name, (data) => done(() => resolve(data)));
      script.onerror = () => done(() => reject(new MissingData(file, false)));
      // The call comes before this event; if it did not, the file does not hold what its name says.
      script.onload = () => this.waiting.has(name) && done(() => reject(new MissingData(file, true)));
      script.src = file;
      document.head.append(script);
    });
  }
}
