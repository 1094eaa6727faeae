// The way of picked files to the server.
import { say } from '../logic/say.ts';
import { address, hooks, refusal, Refusal } from './api.ts';
import { breathe, SLICE, type Picked } from './picked.ts';

/** A form: fields of text, and fields of files. */
export interface Sent {
  texts: Readonly<Record<string, string>>;
  files: Readonly<Record<string, readonly Picked[]>>;
}

/** Sends files to a path of the API; `report` gets the bytes sent and the bytes in all. Resolves to the answer. */
export async function send<T>(
  path: string,
  { texts, files }: Sent,
  report: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<T> {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.append(name, text);
  let added = 0;
  for (const [field, picked] of Object.entries(files)) {
    for (const { path, file } of picked) {
      form.append(field, file, path);
      if (++added % SLICE === 0) await breathe();
    }
  }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address(path));
    request.setRequestHeader('X-CSRF-Token', hooks.csrf);
    request.upload.onprogress = ({ loaded, total }) => report(loaded, total);
    request.onload = () => {
      if (request.status < 200 || request.status >= 300) {
        reject(refusal(request.status, request.responseText, (name) => request.getResponseHeader(name)));
        return;
      }
      try {
        resolve(JSON.parse(request.responseText) as T);
      } catch {
        reject(new Refusal(request.status, say('upload-unread')));
      }
    };
    request.onerror = () => reject(new Refusal(0, say('upload-broken', { check: say('unreachable-check') })));
    request.onabort = () => reject(new Refusal(0, say('upload-cancelled')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(new Refusal(0, say('upload-cancelled')));
    else request.send(form);
  });
}
