// A small server for tests: a report's folder over HTTP, and the marks of its reviewers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
export const TOKEN = 'a token, "quoted" & odd';

export class Marking {
  /** What is kept, and how often it was replaced; null before the first time. */
  text: string | null = null;
  version = 0;
  /** Method and status of every request for the marks, and tokens of those that write. */
  readonly asked: string[] = [];
  readonly tokens: unknown[] = [];
  /** Paths of other requests. */
  readonly got: string[] = [];
  /** Statuses for the next requests by path, instead of an answer. */
  readonly refusing = new Map<string, number>();
  /** Is called before the next list is replaced. */
  before: (() => void) | null = null;

  private constructor(
    private readonly folder: string,
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async start(folder: string): Promise<Marking> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const marking = new Marking(folder, server, `http://127.0.0.1:${port}/reports/7/`);
    server.on('request', (request, response) => void marking.answer(request, response));
    return marking;
  }

  stop(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  /** Another reviewer's list, as another program would keep it. */
  replace(marks: unknown[]): void {
    this.text = JSON.stringify({ marks });
    this.version++;
  }

  get marks(): { reviewer: string; submissions: { name: string }[]; mark: string; note: string }[] {
    return this.text === null ? [] : JSON.parse(this.text).marks;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.address);
    const path = url.pathname.replace('/reports/7/', '');
    const status = this.refusing.get(path);
    if (status !== undefined) {
      if (path === 'marks') this.asked.push(`${request.method} ${status}`);
      response.writeHead(status).end();
    } else if (path === 'marks') await this.answerMarks(request, response);
    else await this.answerFile(path, url.searchParams.get('as'), request, response);
  }

  /** `?as=name` stands for signing in: a cookie, from which the page is told the name. */
  private async answerFile(
    path: string,
    as: string | null,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const file = path === '' ? 'index.html' : normalize(path);
    this.got.push(path);
    try {
      let body: string | Buffer = await readFile(join(this.folder, file));
      if (file === 'index.html') {
        const reviewer = as ?? /who=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
        body = pageFor(String(body), reviewer);
        if (as !== null) response.setHeader('Set-Cookie', `who=${as}`);
      }
      response
        .writeHead(200, { 'Content-Type': `${TYPES[file.split('.').at(-1)!]}; charset=utf-8` })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  }

  private async answerMarks(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = (status: number, body = '') => {
      this.asked.push(`${request.method} ${status}`);
      // A version as a proxy that compresses leaves it.
      if (this.text !== null) response.setHeader('ETag', `W/"${this.version}"`);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    };
    const { headers, method } = request;
    const now = `"${this.version}"`;
    if (method === 'GET') {
      if (this.text === null) end(404);
      else if (headers['if-none-match'] === now) end(304);
      else end(200, this.text);
      return;
    }
    this.tokens.push(headers['x-csrf-token']);
    let body = '';
    for await (const chunk of request) body += chunk;
    const { before } = this;
    this.before = null;
    before?.();
    const fits =
      this.text === null ? headers['if-none-match'] === '*' : headers['if-match'] === `"${this.version}"`;
    if (!fits) return end(412);
    this.text = body;
    this.version++;
    end(204);
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The committed page with what a server adds to it. */
function pageFor(page: string, reviewer: string): string {
  const tags = { server: 'data marks', csrf: TOKEN, reviewer: decodeURIComponent(reviewer) };
  const metas = Object.entries(tags).map(
    ([name, content]) => `<meta name="fanmill-${name}" content="${escaped(content)}">`,
  );
  return page
    .replace("default-src 'none';", "default-src 'none'; connect-src 'self';")
    .replace('<title>', `${metas.join('\n')}\n<title>`);
}
