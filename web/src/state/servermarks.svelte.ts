// Marks on the server that the page comes from: those of all reviewers of the report in one list, with a version.
//
// A list is replaced only if nobody else has replaced it since it was got. If somebody has, the page gets their
// list, makes the reviewer's own changes in it, and tries again: nobody's marks are lost, and a mark that was
// taken back does not return. Two windows of one reviewer that change the same mark leave the later one.
import { ask, isRefusal, server } from '../data/server.ts';
import { fromServer, merged, toServer, type Change, type Everyone, type Kept } from '../logic/kept.ts';
import { say } from '../logic/say.ts';
import type { Key, Values } from '../logic/wording.ts';
import type { MarkStore } from './markstore.ts';

const ADDRESS = 'marks';
/** Milliseconds from a change until it is sent, so that a note is not sent letter by letter. */
const REST = 400;
/** Milliseconds between two looks at what others have marked; nothing is transferred if it is unchanged. */
const LOOK = 30_000;
/** Milliseconds until another attempt, doubled each time. */
const [AGAIN, AGAIN_AT_MOST] = [2_000, 60_000];
/** A list that others replace faster than this page can is a fault of the server. */
const ATTEMPTS = 8;

/** A reason why marks are not kept: a key of the wording, and its values. */
class Trouble extends Error {
  constructor(
    readonly key: Key,
    readonly values: Values = {},
  ) {
    super(key);
  }
}

export class ServerMarks implements MarkStore {
  readonly reviewer = server.reviewer;
  readonly may = server.mayMark;
  /** The fault of the last attempt, and whether marks are lost if the page is closed now. */
  private failure = $state.raw<{ why: Trouble; isUnsaved: boolean } | null>(null);
  private show: (kept: Kept) => void = () => {};
  /** The list as the server has it. */
  private everyone: Everyone = new Map();
  /** Its version; empty if the server has no list yet, null if it must be got first. */
  private version: string | null = null;
  /** Changes that the server does not have yet, the last one of each mark. */
  private readonly pending = new Map<string, Change>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false;
  private pause = AGAIN;

  get trouble(): string {
    if (!this.failure) return '';
    const { why, isUnsaved } = this.failure;
    return say(isUnsaved ? 'marks-unsaved' : 'marks-unread', { why: say(why.key, why.values) });
  }

  watch(show: (kept: Kept) => void): void {
    this.show = show;
    void this.sync();
    const look = () => document.visibilityState === 'visible' && void this.sync();
    setInterval(look, LOOK);
    window.addEventListener('focus', look);
    window.addEventListener('online', look);
    document.addEventListener('visibilitychange', () => void this.sync());
    window.addEventListener('beforeunload', (event) => {
      if (this.pending.size === 0) return;
      void this.sync();
      event.preventDefault();
    });
  }

  keep(_: Kept, changes: readonly Change[]): void {
    for (const change of changes) {
      const reviewer = change.reviewer ?? this.reviewer;
      this.pending.set(`${reviewer}\0\0\0${change.key}`, { ...change, reviewer });
    }
    if (!this.failure) this.later(REST);
  }

  private later(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.sync(), wait);
  }

  /** Sends what is pending, or else looks whether others have changed anything. One at a time. */
  private async sync(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      if (this.version === null || this.pending.size === 0) await this.get();
      for (let i = 0; this.pending.size > 0; i++) {
        if (i === ATTEMPTS) throw new Trouble('trouble-version');
        if (!(await this.put())) await this.get();
      }
      this.failure = null;
      this.pause = AGAIN;
    } catch (error) {
      const why = error instanceof Trouble ? error : new Trouble('trouble-unexpected');
      this.failure = { why, isUnsaved: this.pending.size > 0 };
      this.later(this.pause);
      this.pause = Math.min(AGAIN_AT_MOST, 2 * this.pause);
    } finally {
      this.busy = false;
    }
  }

  private async get(): Promise<void> {
    const headers: Record<string, string> = this.version ? { 'If-None-Match': this.version } : {};
    const answer = await ask(ADDRESS, { headers, cache: 'no-store' });
    if (answer.status === 304) return;
    if (answer.status === 404) return this.take(new Map(), '');
    if (!answer.ok) throw failed(answer);
    const everyone = fromServer(await answer.text());
    const version = versionOf(answer);
    if (!everyone || version === null) throw new Trouble('trouble-other');
    this.take(everyone, version);
  }

  private take(everyone: Everyone, version: string): void {
    [this.everyone, this.version] = [everyone, version];
    const all = merged(everyone, this.pending.values(), this.reviewer);
    this.show({
      own: [...(all.get(this.reviewer) ?? [])],
      others: [...all].flatMap(([name, reviews]) => (name === this.reviewer ? [] : [[name, [...reviews]]])),
    });
  }

  /** Whether the server has taken it; if not, somebody else was faster. */
  private async put(): Promise<boolean> {
    const sent = new Map(this.pending);
    const next = merged(this.everyone, sent.values(), this.reviewer);
    const answer = await ask(ADDRESS, {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        ...(this.version ? { 'If-Match': this.version } : { 'If-None-Match': '*' }),
      },
      body: toServer(next),
    });
    if (answer.status === 412) {
      this.version = null;
      return false;
    }
    if (!answer.ok) throw failed(answer);
    [this.everyone, this.version] = [next, versionOf(answer)];
    // What was changed again meanwhile is still to be sent.
    for (const [key, change] of sent) if (this.pending.get(key) === change) this.pending.delete(key);
    if (this.version === null) await this.get();
    return true;
  }
}

/** Proxies that compress an answer call its version weak, by which nothing may be replaced. */
const versionOf = ({ headers }: Response) => headers.get('ETag')?.replace(/^W\//, '') ?? null;

function failed(answer: Response): Trouble {
  if (isRefusal(answer)) return new Trouble('trouble-refused');
  if (answer.status === 503) return new Trouble('trouble-unreachable');
  return new Trouble('trouble-status', { status: String(answer.status) });
}
