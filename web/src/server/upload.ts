// The way of picked files to the server.
import { hooks, refusal, Refusal, UNREACHABLE } from './api.ts';
import { breathe, SLICE, type Picked } from './picked.ts';

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
