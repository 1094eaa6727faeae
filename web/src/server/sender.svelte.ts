// An upload in progress: it can be stopped, and stops when its page is left.
import { onDestroy } from 'svelte';
import { say } from '../logic/say.ts';
import { insist } from './api.ts';
import { router } from './route.svelte.ts';
import { send, type Sent } from './upload.ts';

export class Sender {
  /** Bytes sent, and in all; null while nothing is sent. */
  progress = $state<{ sent: number; total: number } | null>(null);
  private running: AbortController | null = null;

  constructor() {
    onDestroy(() => {
      router.guard = null;
      this.stop();
    });
  }

  stop = (): void => this.running?.abort();

  /** Sends a form to a path of the API, and resolves to the answer. */
  async send<T>(path: string, form: Sent): Promise<T> {
    this.running = new AbortController();
    const { signal } = this.running;
    this.progress = { sent: 0, total: 0 };
    router.guard = () => say('upload-unfinished');
    try {
      const report = (sent: number, total: number) => (this.progress = { sent, total });
      return await insist(() => send<T>(path, form, report, signal));
    } finally {
      router.guard = null;
      this.progress = null;
    }
  }
}
