// What the server that a page comes from says of itself, in the page's head. A page from disk says nothing.

const said = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="fanmill-${name}"]`)?.content ?? null;
const offers = (said('server') ?? '').split(/\s+/);

/** Reads names and paths; paths of other sites are left out. */
function pages(text: string | null): [name: string, path: string][] {
  const all = JSON.parse(text ?? '[]') as [string, string][];
  return all.filter(([, path]) => /^\/[^/]/.test(path));
}

export const server = {
  /** Whether data is fetched, which the page's policy must allow; if not, it is inserted as scripts. */
  data: offers.includes('data'),
  /** Whether the server keeps marks and notes. */
  marks: offers.includes('marks'),
  /** True if the reader may change them. */
  mayMark: !offers.includes('readonly'),
  /** The pages of the server that the report belongs to, outermost first, as names and paths. */
  above: pages(said('above')),
  /** The language that is set for the page; null if the browser's counts. */
  language: said('language'),
  /** The path below which the service lies, without a slash at its end; empty at the root of its host. */
  prefix: said('prefix') ?? '',
  /** The name under which the server knows the reviewer. */
  reviewer: said('reviewer') ?? '',
};

/**
 * Asks the server for an address relative to the page. Always an answer: 503 if there was none, and 401 instead
 * of a page for signing in that the server has led to.
 */
export async function ask(address: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const csrf = said('csrf');
  if (csrf !== null && init.method !== undefined) headers.set('X-CSRF-Token', csrf);
  try {
    const answer = await fetch(address, { ...init, headers });
    return answer.redirected ? new Response(null, { status: 401 }) : answer;
  } catch {
    return new Response(null, { status: 503 });
  }
}

export const isRefusal = ({ status }: Response) => status === 401 || status === 403;
