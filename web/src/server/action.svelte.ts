// Something a button does: at most once at a time, with what went wrong beside the button.
import { explain } from './api.ts';

export class Action<A extends unknown[] = []> {
  busy = $state(false);
  error = $state('');
  /** What the last success did, to be read out. */
  done = $state('');

  constructor(private readonly work: (...args: A) => Promise<string | void>) {}

  run = async (...args: A): Promise<void> => {
    if (this.busy) return;
    this.busy = true;
    this.error = '';
    this.done = '';
    try {
      this.done = (await this.work(...args)) ?? '';
    } catch (error) {
      this.error = explain(error);
    } finally {
      this.busy = false;
    }
  };
}
