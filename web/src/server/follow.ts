// Follows a job: events as long as the server sends them, otherwise it asks again and again.
import { address, get, Refusal } from './api.ts';
import { isOver, type Batch, type Change } from './model.ts';

const PAUSES = [1500, 2000, 3000, 5000, 10_000];
/** A connection may be dead without a word, as after a laptop has slept: it is asked beside the events, too. */
const LOOK = 30_000;

/** Calls `changed` at each change until the job is over or the returned function is called; `gone` if it was deleted. */
export function follow(id: string, changed: (change: Change) => void, gone: () => void): () => void {
  const path = `/batches/${encodeURIComponent(id)}`;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const source = typeof EventSource === 'undefined' ? null : new EventSource(address(`${path}/events`));

  const stop = () => {
    stopped = true;
    source?.close();
    clearTimeout(timer);
  };
  const tell = (change: Change) => {
    if (stopped) return;
    if (isOver(change.state)) stop();
    changed(change);
  };
  const ask = async () => {
    try {
      tell(await get<Batch>(path));
    } catch (error) {
      // The server may be restarting; the next question finds out.
      if (!stopped && error instanceof Refusal && error.status === 404) {
        stop();
        gone();
      }
    }
    if (stopped) return;
    const isOpen = source?.readyState === EventSource.OPEN;
    timer = setTimeout(ask, isOpen ? LOOK : PAUSES[Math.min(asked++, PAUSES.length - 1)]);
  };

  if (source) {
    source.onmessage = (event: MessageEvent<string>) => {
      try {
        tell(JSON.parse(event.data) as Change);
      } catch {
        // Half a message; the next one is whole.
      }
    };
    source.onerror = () => {
      source.close();
      clearTimeout(timer);
      if (!stopped) void ask();
    };
    timer = setTimeout(ask, LOOK);
  } else void ask();
  return stop;
}
