// Calls the service. A session that has ended asks for the password and then goes on where it stopped.
import { counted, say } from '../logic/say.ts';
import type { Key } from '../logic/wording.ts';
import { outer } from './place.ts';

/** The service's refusal in its own words, or ours if there were none. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** The address of a path of the interface. */
export const address = (path: string) => outer(`/api/v1${path}`);

/** What the session has to do for calls; set once by `session.svelte.ts`, which itself calls. */
export const hooks = {
  csrf: '',
  /** Resolves when somebody has logged in again. */
  renew: (): Promise<void> => Promise.reject(new Refusal(401, say('status-401'))),
  /** Reads the CSRF token again; whether it has changed, as after a log-in in another tab. */
  refresh: (): Promise<boolean> => Promise.resolve(false),
};

/** One call without any second attempt. */
export async function once<T>(method: Method, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address(path), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'X-CSRF-Token': hooks.csrf }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, unreachable());
  }
  const text = await response.text().catch(() => '');
  if (!response.ok) throw refusal(response.status, text, (name) => response.headers.get(name));
  return parse(text) as T;
}

/** Tries `attempt` again after a new log-in, or with a fresh CSRF token. */
export async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 401) await hooks.renew();
    else if (error.status !== 403 || !(await hooks.refresh())) throw error;
    return await attempt();
  }
}

export const get = <T>(path: string) => insist(() => once<T>('GET', path));
export const post = <T>(path: string, body: unknown = {}) => insist(() => once<T>('POST', path, body));
export const put = <T>(path: string, body: unknown) => insist(() => once<T>('PUT', path, body));
export const remove = (path: string) => insist(() => once<void>('DELETE', path));

/** A file that the service makes. */
export const file = (path: string) =>
  insist(async () => {
    let response: Response;
    try {
      response = await fetch(address(path), { credentials: 'same-origin', cache: 'no-store' });
    } catch {
      throw new Refusal(0, unreachable());
    }
    if (!response.ok)
      throw refusal(response.status, await response.text(), (name) => response.headers.get(name));
    return await response.blob();
  });

const unreachable = () => say('unreachable', { check: say('unreachable-check') });

/** Makes sentences of an answer that is no success. */
export function refusal(status: number, text: string, header: (name: string) => string | null): Refusal {
  const parsed = parse(text);
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  const said = typeof body.error === 'string' && body.error !== '' ? sentence(body.error) : null;
  const key = WORDS[status];
  const words = said ?? (key ? say(key) : say('status-other', { status: String(status) }));
  const wait = status === 429 ? waiting(header('Retry-After')) : '';
  const id = status === 500 ? header('X-Request-Id') : null;
  const log = id === null ? '' : say('logged-as', { id });
  return new Refusal(status, [words, wait, log].filter(Boolean).join(' '), body);
}

const WORDS: Record<number, Key> = {
  400: 'status-400',
  401: 'status-401',
  403: 'status-403',
  404: 'status-404',
  409: 'status-409',
  413: 'status-413',
  429: 'status-429',
  500: 'status-500',
  507: 'status-507',
};

function waiting(retryAfter: string | null): string {
  const seconds = Number(retryAfter);
  if (!retryAfter || !Number.isFinite(seconds) || seconds <= 0) return '';
  return seconds < 90
    ? counted('wait-seconds', Math.ceil(seconds))
    : counted('wait-minutes', Math.ceil(seconds / 60));
}

/** `lower-case words` as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the server could not be reached just now, as while it is started again; another attempt may succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Refusal && [0, 502, 503, 504].includes(error.status);

/** What to say of an error, whatever it is. */
export const explain = (error: unknown): string =>
  error instanceof Refusal ? error.message : say('unexpected-error', { error: String(error) });
