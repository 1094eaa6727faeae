// Who is logged in, and what happens when that ends.
import { say } from '../logic/say.ts';
import { hooks, once, Refusal } from './api.ts';
import type { Session, User, Ways } from './model.ts';
import { outer } from './place.ts';

class SessionState {
  /** Null while nobody is logged in. */
  user = $state<User | null>(null);
  /** False until the server has said who is logged in. */
  known = $state(false);
  /** The server has no administrator yet. */
  needsSetup = $state(false);
  ways = $state<Ways>({ password: true, service: null });
  /** The session has ended while somebody worked: the page asks for the password and waits. */
  ended = $state(false);
  private waiting: (() => void)[] = [];

  constructor() {
    hooks.renew = () => this.renew();
    hooks.refresh = () => this.refresh();
  }

  /** Asks the server who is logged in. */
  async load(): Promise<void> {
    try {
      this.take(await once<Session>('GET', '/me'));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      this.needsSetup = error.body.needs_setup === true;
      if (error.body.ways) this.ways = error.body.ways as Ways;
    }
    this.known = true;
  }

  async logIn(name: string, password: string): Promise<void> {
    this.enter(await once<Session>('POST', '/login', { name, password }));
  }

  /** Goes on after a log-in in another tab. */
  async returned(): Promise<void> {
    this.enter(await once<Session>('GET', '/me'));
  }

  async setUp(secret: string, name: string | null, password: string): Promise<void> {
    const body = name === null ? { secret, password } : { secret, name, password };
    this.enter(await once<Session>('POST', '/setup', body));
  }

  async logOut(): Promise<void> {
    try {
      await once('POST', '/logout', {});
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
    }
    // A new document, so that nothing of this person stays in memory.
    location.assign(outer('/login'));
  }

  private enter(session: Session): void {
    const before = this.user;
    if (before && this.ended && before.id !== session.user.id) {
      // What is open belongs to somebody else.
      location.assign(outer('/'));
      return;
    }
    this.take(session);
    this.ended = false;
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  private take({ user, csrf, ways }: Session): void {
    this.user = user;
    this.ways = ways;
    this.needsSetup = false;
    hooks.csrf = csrf;
  }

  private renew(): Promise<void> {
    if (!this.user) return Promise.reject(new Refusal(401, say('status-401')));
    this.ended = true;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private async refresh(): Promise<boolean> {
    const before = hooks.csrf;
    try {
      const session = await once<Session>('GET', '/me');
      if (session.user.id !== this.user?.id) return false;
      this.take(session);
    } catch {
      return false;
    }
    return hooks.csrf !== before;
  }
}

export const session = new SessionState();
