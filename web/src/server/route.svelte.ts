// The page's own addresses; anything else, as a report, is for the browser to open.
import { inner, outer } from './place.ts';

export type View = 'courses' | 'login' | 'setup' | 'course' | 'batch' | 'account' | 'users';
export interface Route {
  view: View;
  /** The id or the secret in the address; empty if it has none. */
  id: string;
}

const PLAIN: Record<string, View> = {
  '/': 'courses',
  '/login': 'login',
  '/account': 'account',
  '/users': 'users',
};
const WITH_ID: Record<string, View> = { setup: 'setup', courses: 'course', batches: 'batch' };

/** Reads a path; null if it is none of the page's. */
export function parse(path: string): Route | null {
  if (Object.hasOwn(PLAIN, path)) return { view: PLAIN[path]!, id: '' };
  const found = /^\/([a-z]+)\/([^/]+)\/?$/.exec(path);
  if (!found || !Object.hasOwn(WITH_ID, found[1]!)) return null;
  try {
    return { view: WITH_ID[found[1]!]!, id: decodeURIComponent(found[2]!) };
  } catch {
    return null;
  }
}

class Router {
  path = $state(inner(location.pathname));
  /** Says why leaving now would lose something; null if it would not. */
  guard: (() => string | null) | null = null;

  constructor() {
    window.addEventListener('popstate', () => {
      const loss = this.guard?.();
      // The step back has been made already; staying makes another one.
      if (loss && !confirm(loss)) history.pushState(null, '', outer(this.path));
      else this.path = inner(location.pathname);
    });
    window.addEventListener('beforeunload', (event) => {
      if (this.guard?.()) event.preventDefault();
    });
    document.addEventListener('click', (event) => this.follow(event));
  }

  go(path: string, step: 'onwards' | 'instead' = 'onwards'): void {
    if (step === 'onwards') history.pushState(null, '', outer(path));
    else history.replaceState(null, '', outer(path));
    this.path = inner(location.pathname);
    scrollTo(0, 0);
  }

  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target !== '' || link.origin !== location.origin || link.hash !== '') return;
    const path = inner(link.pathname);
    if (!parse(path)) return;
    event.preventDefault();
    const loss = this.guard?.();
    if (loss && !confirm(loss)) return;
    this.go(path);
  }
}

export const router = new Router();
