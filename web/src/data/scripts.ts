// Data files as script elements, each one call of `fanmill(name, data)`.
//
// A page opened from disk may not fetch, but may insert a script element.
import { fileOf, MissingData, type Get } from './load.ts';

declare global {
  interface Window {
    fanmill: (name: string, data: unknown) => void;
  }
}

/** Defines the function that data files call. */
export function scripts(): Get {
  const waiting = new Map<string, (data: unknown) => void>();
  window.fanmill = (name, data) => waiting.get(name)?.(data);
  return (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      const done = (settle: () => void) => {
        waiting.delete(name);
        script.remove();
        settle();
      };
      const fail = (damaged: boolean) =>
        done(() => reject(new MissingData(fileOf(name), damaged ? 'damaged' : 'missing')));
      waiting.set(name, (data) => done(() => resolve(data)));
      script.onerror = () => fail(false);
      // The call comes before this event; if it did not, the file does not hold what its name says.
      script.onload = () => waiting.has(name) && fail(true);
      script.src = fileOf(name);
      document.head.append(script);
    });
}
