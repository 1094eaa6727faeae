// Where the reader is: kept in the address behind `#`, so that every view can be linked to.

export type View = 'overview' | 'pairs' | 'pair' | 'submissions' | 'clusters' | 'submission';

export interface Route {
  view: View;
  /** The number in `#/pair/12`, from 1; null if there is none. */
  number: number | null;
  /** The permanent id in `#/pair/12.0a1b2c3d4e5f6071`, which counts more than the number; null if there is none. */
  id: string | null;
  params: URLSearchParams;
}

const VIEWS: readonly View[] = ['overview', 'pairs', 'pair', 'submissions', 'clusters', 'submission'];

/** Reads `#/pair/12?p=3`. Anything else is the overview. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', number = ''] = path.split('/');
  const known = VIEWS.find((name) => name === view) ?? 'overview';
  const [, digits, id = null] = /^(\d{1,9})(?:\.([0-9a-f]{16}))?$/.exec(number) ?? [];
  return {
    view: known,
    number: digits === undefined ? null : Number(digits),
    id,
    params: new URLSearchParams(query),
  };
}

export function hashOf(
  { view, number, id }: Pick<Route, 'view' | 'number' | 'id'>,
  params: Record<string, string | null>,
): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params))
    if (value !== null && value !== '') query.set(key, value);
  const path = number === null ? view : `${view}/${number}${id === null ? '' : `.${id}`}`;
  const text = query.toString();
  return `#/${path === 'overview' ? '' : path}${text ? `?${text}` : ''}`;
}

class Router {
  current = $state<Route>(parseRoute(location.hash));

  constructor() {
    window.addEventListener('hashchange', () => (this.current = parseRoute(location.hash)));
  }

  /** Changes parameters of the current view without a step in the history. */
  set(params: Record<string, string | null>): void {
    const hash = hashOf(this.current, { ...Object.fromEntries(this.current.params), ...params });
    if (hash === location.hash) return;
    history.replaceState(null, '', hash);
    this.current = parseRoute(hash);
  }

  /** Opens an address; `instead` of the current one, so that Back leads past both. */
  go(hash: string, step: 'onwards' | 'instead' = 'onwards'): void {
    if (step === 'onwards') {
      location.hash = hash;
      return;
    }
    history.replaceState(null, '', hash);
    this.current = parseRoute(hash);
  }
}

export const router = new Router();
