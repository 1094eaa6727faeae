// The service as its page sees it, in memory: accounts, courses, batches whose jobs take a few ticks of a clock.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Summary } from '../../src/server/model.ts';
import { ROOT } from '../write.ts';
import { body, json, multipart, Refused } from './bodies.ts';

const APP = join(ROOT, 'crates/fanmill-server/src/app');
const COOKIE = 'fanmill_session';

interface User {
  id: string;
  name: string;
  role: 'administrator' | 'teacher' | 'reader';
  password: string | null;
  moss_id: string;
}
interface Batch {
  id: string;
  course: string;
  title: string;
  state: 'queued' | 'running' | 'proposed' | 'done' | 'failed' | 'cancelled';
  /** True if it is only read. */
  only_reads?: boolean;
  created: string;
  finished: string | null;
  settings: Record<string, unknown>;
  /** The paths as they were sent. */
  files: string[];
  base: string[];
  bytes: number;
  progress: { step: string; done: number; total: number } | null;
  error: string | null;
  summary: Summary | null;
  is_archived: boolean;
  marks: string;
  etag: number;
  /** Ticks so far; negative: it waits for `tick`. */
  listeners: Set<ServerResponse>;
}
interface Link {
  id: string;
  batch: string;
  secret: string;
  created: string;
  expires: string;
  password: string | null;
  anonymous: boolean;
  views: number;
}
interface Course {
  id: string;
  name: string;
  members: Map<string, 'owner' | 'teacher' | 'reader'>;
}
const ACCESS = { nobody: 401, not: 403, unseen: 404 } as const;
const unseen = () => new Refused(ACCESS.unseen, 'there is nothing here, or you may not see it');

export interface Options {
  /** Uploads of more bytes are refused. */
  maxBytes?: number;
  /** Between two steps of a job, in milliseconds. */
  tick?: number;
  /** Whether there are events; without them the page has to ask. */
  events?: boolean;
}

export class Mock {
  readonly users = new Map<string, User>();
  readonly courses = new Map<string, Course>();
  readonly batches = new Map<string, Batch>();
  readonly links = new Map<string, Link>();
  readonly setups = new Map<string, string | null>();
  readonly tokens = new Map<
    string,
    { id: string; user: string; label: string; token: string; created: string; used: null }
  >();
  readonly erased = new Set<string>();
  /** Searches of the disk that somebody has asked about. */
  readonly searches = new Set<string>();
  readonly sessions = new Map<string, { user: string; csrf: string }>();
  /** Each call as `POST /api/v1/login 401`. */
  readonly log: string[] = [];
  /** How people log in. */
  ways: { password: boolean; service: string | null } = { password: true, service: null };
  /** Jobs stand still while this is true. */
  paused = false;
  private failures = 0;
  private last = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly server: Server;
  private readonly options: Required<Options>;

  constructor(options: Options = {}) {
    this.options = { maxBytes: 1 << 20, tick: 60, events: true, ...options };
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => this.fail(request, response, error));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.timer = setInterval(() => !this.paused && this.step(), this.options.tick);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The one-time address of the first administrator. */
  firstLink(): string {
    this.setups.set('first-secret', null);
    return '/setup/first-secret';
  }

  addUser(name: string, role: User['role'], password: string | null): User {
    const id = this.id();
    const user = { id, name, role, password, moss_id: String(100_000_000 + Number(id) * 7919) };
    this.users.set(id, user);
    return user;
  }

  addCourse(name: string, owner: User): Course {
    const course: Course = { id: this.id(), name, members: new Map([[owner.id, 'owner']]) };
    this.courses.set(course.id, course);
    return course;
  }

  addBatch(course: Course, title: string, state: Batch['state'], more: Partial<Batch> = {}): Batch {
    const batch: Batch = {
      id: this.id(),
      course: course.id,
      title,
      state,
      created: '2026-03-02T09:14:00Z',
      finished: state === 'done' ? '2026-03-02T09:15:10Z' : null,
      settings: {},
      files: Array.from({ length: 48 }, (_, i) => `student${i}/main.py`),
      base: [],
      bytes: 1_234_567,
      progress: null,
      error: null,
      summary: state === 'done' ? summary() : null,
      is_archived: false,
      marks: '{}',
      etag: 1,
      listeners: new Set(),
      ...more,
    };
    this.batches.set(batch.id, batch);
    return batch;
  }

  /** Ends all sessions, as time does. */
  expire(): void {
    this.sessions.clear();
  }

  private id = () => String(++this.last);

  private step(): void {
    for (const batch of this.batches.values()) {
      if (batch.state === 'queued') {
        batch.state = 'running';
        batch.progress = { step: 'reading files', done: 0, total: batch.files.length };
      } else if (batch.state === 'running' && batch.progress) {
        const { done, total } = batch.progress;
        batch.progress = { step: 'comparing', done: Math.min(total, done + Math.ceil(total / 5)), total };
        if (done >= total) {
          batch.state = batch.only_reads ? 'proposed' : 'done';
          batch.progress = null;
          batch.finished = '2026-03-02T09:15:10Z';
          batch.summary = summary();
        }
      } else continue;
      this.tell(batch);
    }
  }

  private tell(batch: Batch): void {
    const { state, progress, error } = batch;
    for (const listener of batch.listeners) {
      listener.write(`data: ${JSON.stringify({ state, progress, error })}\n\n`);
      if (state !== 'queued' && state !== 'running') listener.end();
    }
  }

  private fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const refused = error instanceof Refused ? error : new Refused(500, String(error));
    this.log.push(`${request.method} ${request.url} ${refused.status}`);
    response.writeHead(refused.status, { 'Content-Type': 'application/json', ...refused.headers });
    response.end(JSON.stringify({ error: refused.message, ...refused.more }));
  }

  private send(request: IncomingMessage, response: ServerResponse, status: number, body?: unknown): void {
    this.log.push(`${request.method} ${request.url} ${status}`);
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  private who(request: IncomingMessage): User {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const token = [...this.tokens.values()].find((one) => one.token === bearer);
    if (token) return this.users.get(token.user)!;
    const cookie = new RegExp(`${COOKIE}=([0-9a-f]+)`).exec(request.headers.cookie ?? '')?.[1];
    const session = this.sessions.get(cookie ?? '');
    if (!session)
      throw new Refused(401, 'nobody is logged in', { needs_setup: this.users.size === 0, ways: this.ways });
    if (request.method !== 'GET' && request.headers['x-csrf-token'] !== session.csrf)
      throw new Refused(403, 'the CSRF token is missing or old; load the page again');
    return this.users.get(session.user)!;
  }

  private enter(request: IncomingMessage, response: ServerResponse, user: User): void {
    const secret = randomBytes(16).toString('hex');
    const csrf = randomBytes(8).toString('hex');
    this.sessions.set(secret, { user: user.id, csrf });
    response.setHeader('Set-Cookie', `${COOKIE}=${secret}; HttpOnly; SameSite=Lax; Path=/`);
    this.send(request, response, 200, {
      user: { ...shown(user), has_password: true },
      csrf,
      ways: this.ways,
    });
  }

  /** The course, if `user` has at least this role in it. */
  private course(id: string, user: User, needs: 'reader' | 'teacher' | 'owner'): Course {
    const course = this.courses.get(id);
    const role = course?.members.get(user.id);
    if (!course || !role) throw unseen();
    const order = ['reader', 'teacher', 'owner'];
    if (order.indexOf(role) < order.indexOf(needs))
      throw new Refused(403, `this needs the role ${needs} in the course, and yours is ${role}`);
    return course;
  }

  private batch(id: string, user: User, needs: 'reader' | 'teacher'): Batch {
    const batch = this.batches.get(id);
    if (!batch) throw unseen();
    this.course(batch.course, user, needs);
    return batch;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const method = request.method ?? 'GET';
    if (pathname.startsWith('/api/v1/')) {
      await this.api(method, pathname.slice('/api/v1'.length), request, response);
    } else if (pathname === '/health') {
      response.end('ok');
    } else if (pathname.startsWith('/s/')) {
      await this.shared(method, pathname, request, response);
    } else if (/^\/batches\/[^/]+\/report\//.test(pathname)) {
      await this.report(method, pathname, request, response);
    } else if (/^\/(login|account|users|(setup|courses|batches)\/[^/]+)?$/.test(pathname)) {
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': readFileSync(join(APP, 'csp.txt'), 'utf8').trim(),
        'X-Content-Type-Options': 'nosniff',
      });
      response.end(readFileSync(join(APP, 'index.html')));
    } else throw unseen();
  }

  private async api(
    method: string,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const at = (pattern: string) => {
      const [verb, shape = ''] = pattern.split(' ');
      if (verb !== method) return null;
      return new RegExp(`^${shape.replaceAll('*', '([^/]+)')}$`).exec(path);
    };
    const ok = (status: number, body?: unknown) => this.send(request, response, status, body);
    let found: RegExpExecArray | null;

    if (at('POST /login')) {
      const { name, password } = await json(request);
      if (this.failures >= 5)
        throw new Refused(429, 'too many attempts to log in', {}, { 'Retry-After': '30' });
      const user = [...this.users.values()].find((one) => one.name === name);
      if (!user || user.password === null || user.password !== password) {
        this.failures++;
        throw new Refused(401, 'no account has this name and password; check both, or ask for a new link');
      }
      this.failures = 0;
      return this.enter(request, response, user);
    }
    if (at('POST /setup')) {
      const { secret, name, password } = await json(request);
      const owner = this.setups.get(String(secret));
      if (owner === undefined)
        throw new Refused(404, 'this link has been used or has expired; ask for another one');
      if (String(password).length < 10)
        throw new Refused(
          400,
          `the password has ${String(password).length} characters, and at least 10 are needed`,
        );
      const user =
        owner === null ? this.addUser(String(name), 'administrator', null) : this.users.get(owner)!;
      user.password = String(password);
      this.setups.delete(String(secret));
      return this.enter(request, response, user);
    }

    const me = this.who(request);
    if (at('GET /me')) {
      const csrf = [...this.sessions.values()].find(({ user }) => user === me.id)?.csrf;
      const has_password = me.password !== null;
      const user = { ...shown(me), has_password, moss_id: me.moss_id, moss_port: 7690 };
      return ok(200, { user, csrf, needs_setup: false, ways: this.ways });
    }
    if (at('POST /logout')) {
      for (const [key, { user }] of this.sessions) if (user === me.id) this.sessions.delete(key);
      return ok(204);
    }
    if (at('POST /me/moss')) {
      me.moss_id = String(Number(me.moss_id) + 1);
      return ok(200, { moss_id: me.moss_id });
    }
    if (at('POST /me/password')) {
      const body = await json(request);
      if (body.old !== me.password) throw new Refused(403, 'the old password is not this one');
      me.password = String(body.new);
      return ok(204);
    }
    if (at('GET /tokens'))
      return ok(
        200,
        [...this.tokens.values()]
          .filter(({ user }) => user === me.id)
          .map(({ id, label, created, used }) => ({ id, label, created, used })),
      );
    if (at('POST /tokens')) {
      const { label } = await json(request);
      const id = this.id();
      const token = `fm_${randomBytes(24).toString('hex')}`;
      const created = new Date().toISOString();
      this.tokens.set(id, { id, user: me.id, label: String(label), token, created, used: null });
      return ok(201, { id, token });
    }
    if ((found = at('DELETE /tokens/*'))) {
      if (this.tokens.get(found[1]!)?.user !== me.id) throw unseen();
      this.tokens.delete(found[1]!);
      return ok(204);
    }

    if (at('GET /people/errands')) return ok(200, []);
    if ((found = at('GET /people/erasures/*'))) {
      // The disk is still searched when somebody asks for the first time.
      const is_done = this.searches.has(found[1]!);
      this.searches.add(found[1]!);
      const finding = is_done ? 'disk searched, 12 files: the name is still in batches/9e1b' : '';
      return ok(200, { finding, is_clean: false, is_done });
    }
    if (path.startsWith('/people/')) {
      const body = request.method === 'POST' ? await json(request) : {};
      const name = String(body.name ?? new URL(request.url!, 'http://x').searchParams.get('name'));
      if (name !== 'Mei' || this.erased.has(name)) throw new Refused(404, `nothing was handed in by ${name}`);
      if (request.method !== 'POST') return ok(200, { zip: name });
      this.erased.add(name);
      return ok(202, {
        compared_again: 2,
        deleted: 1,
        not_searched: [{ id: 'broken', reason: 'its upload cannot be read', title: 'Week 9' }],
        number: 7,
      });
    }

    if (path === '/users' || path.startsWith('/users/')) {
      if (me.role !== 'administrator') throw new Refused(403, 'only the administrator sees users');
      if (at('GET /users'))
        return ok(
          200,
          [...this.users.values()].map((user) => ({
            ...shown(user),
            active: true,
            is_set_up: user.password !== null,
            mail: null,
          })),
        );
      if (at('POST /users')) {
        const { name, role } = await json(request);
        if ([...this.users.values()].some((user) => user.name === name))
          throw new Refused(409, `there is a user called ${String(name)}; choose another name`);
        const user = this.addUser(String(name), role as User['role'], null);
        this.setups.set(`secret-${user.id}`, user.id);
        return ok(201, { id: user.id, link: `/setup/secret-${user.id}` });
      }
      if ((found = at('POST /users/*/reset'))) {
        if (!this.users.has(found[1]!)) throw unseen();
        this.setups.set(`again-${found[1]}`, found[1]!);
        return ok(200, { link: `/setup/again-${found[1]}` });
      }
      if ((found = at('DELETE /users/*'))) {
        if (!this.users.delete(found[1]!)) throw unseen();
        return ok(204);
      }
    }

    if (at('GET /languages'))
      return ok(
        200,
        ['words', 'java', 'python'].map((name) => ({ name, aliases: [], extensions: [] })),
      );
    if (at('GET /courses'))
      return ok(
        200,
        [...this.courses.values()]
          .filter(({ members }) => members.has(me.id))
          .map(({ id, name, members }) => {
            const batches = [...this.batches.values()].filter(({ course }) => course === id);
            const archived = batches.filter(({ is_archived }) => is_archived).length;
            return {
              id,
              name,
              role: members.get(me.id),
              n_batches: batches.length,
              kept_days: 180,
              n_archived: archived,
            };
          }),
      );
    if (at('POST /courses')) {
      if (me.role === 'reader') throw new Refused(403, 'readers cannot make courses');
      const { name } = await json(request);
      return ok(201, { id: this.addCourse(String(name), me).id });
    }
    if ((found = at('DELETE /courses/*'))) {
      this.courses.delete(this.course(found[1]!, me, 'owner').id);
      return ok(204);
    }
    if ((found = at('GET /courses/*/members'))) {
      const { members } = this.course(found[1]!, me, 'reader');
      return ok(
        200,
        [...members].map(([id, role]) => ({ user_id: id, name: this.users.get(id)?.name, role })),
      );
    }
    if ((found = at('PUT /courses/*/members'))) {
      const { members } = this.course(found[1]!, me, 'owner');
      const { name, role } = await json(request);
      const user = [...this.users.values()].find((one) => one.name === name);
      if (!user) throw new Refused(404, `no user is called ${String(name)}; the administrator can add one`);
      if (role === 'none') members.delete(user.id);
      else members.set(user.id, role as 'teacher' | 'reader');
      return ok(204);
    }
    if ((found = at('GET /courses/*/batches'))) {
      const { id } = this.course(found[1]!, me, 'reader');
      const rows = [...this.batches.values()].filter(({ course }) => course === id).reverse();
      return ok(200, rows.map(row));
    }
    if ((found = at('POST /courses/*/batches'))) {
      const course = this.course(found[1]!, me, 'teacher');
      const parts = await multipart(request, this.options.maxBytes);
      const text = (name: string) => parts.find((part) => part.name === name)?.body.toString() ?? '';
      const files = parts.filter(({ name }) => name === 'submissions');
      const batch = this.addBatch(course, text('title'), 'queued', {
        settings: JSON.parse(text('settings')) as Record<string, unknown>,
        created: new Date().toISOString(),
        files: files.map(({ filename }) => filename ?? ''),
        base: parts.filter(({ name }) => name === 'base').map(({ filename }) => filename ?? ''),
        bytes: files.reduce((sum, { body }) => sum + body.length, 0),
        only_reads: text('look_first') === 'true',
      });
      return ok(201, { id: batch.id });
    }
    if ((found = at('POST /batches/*/submissions'))) {
      const batch = this.batch(found[1]!, me, 'teacher');
      const files = (await multipart(request, this.options.maxBytes)).filter(
        ({ name }) => name === 'submissions',
      );
      const named = files.map(({ filename }) => filename ?? '');
      const again = named.filter((name) => batch.files.includes(name));
      batch.files = [...new Set([...batch.files, ...named])];
      Object.assign(batch, { state: 'queued', summary: null, finished: null, only_reads: true });
      return ok(202, { added: named.filter((name) => !again.includes(name)), replaced: again });
    }

    if ((found = at('GET /batches/*'))) {
      const batch = this.batch(found[1]!, me, 'reader');
      const { course, finished, settings, is_archived, id } = batch;
      const report = batch.state === 'done' ? `/batches/${id}/report/` : null;
      return ok(200, {
        ...row(batch),
        course,
        finished,
        settings,
        is_archived,
        report,
        report_bytes: report ? 345_678 : 0,
      });
    }
    if ((found = at('GET /batches/*/events'))) {
      const batch = this.batch(found[1]!, me, 'reader');
      if (!this.options.events) throw new Refused(404, 'no events here');
      this.log.push(`GET ${path} 200`);
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      batch.listeners.add(response);
      response.on('close', () => batch.listeners.delete(response));
      return this.tell(batch);
    }
    if ((found = at('POST /batches/*/run'))) {
      const batch = this.batch(found[1]!, me, 'teacher');
      const body = await json(request);
      const settings = body.settings as Record<string, unknown>;
      if (Number(settings.guarantee) < Number(settings.noise))
        throw new Refused(
          400,
          `guarantee threshold ${Number(settings.guarantee)} is below noise threshold ${Number(settings.noise)} (tokens); raise the one or lower the other`,
        );
      Object.assign(batch, {
        settings,
        only_reads: body.look_first === true,
        state: 'queued',
        error: null,
        summary: null,
        finished: null,
        progress: null,
      });
      return ok(202);
    }
    if ((found = at('POST /batches/*/cancel'))) {
      const batch = this.batch(found[1]!, me, 'teacher');
      Object.assign(batch, { state: 'cancelled', progress: null });
      this.tell(batch);
      return ok(204);
    }
    if ((found = at('POST /batches/*/archive'))) {
      const batch = this.batch(found[1]!, me, 'teacher');
      setTimeout(() => (batch.is_archived = true), this.options.tick);
      return ok(202);
    }
    if ((found = at('DELETE /batches/*'))) {
      this.batches.delete(this.batch(found[1]!, me, 'teacher').id);
      return ok(204);
    }
    if ((found = at('GET /batches/*/links'))) {
      const { id } = this.batch(found[1]!, me, 'teacher');
      const own = [...this.links.values()].filter(({ batch }) => batch === id);
      return ok(
        200,
        own.map(({ id, created, expires, password, anonymous, views }) => ({
          id,
          created,
          expires,
          has_password: password !== null,
          anonymous,
          views,
        })),
      );
    }
    if ((found = at('POST /batches/*/links'))) {
      const { id: batch } = this.batch(found[1]!, me, 'teacher');
      const { days, password, anonymous } = await json(request);
      const secret = randomBytes(16).toString('hex');
      const id = this.id();
      this.links.set(id, {
        id,
        batch,
        secret,
        created: new Date().toISOString(),
        expires: new Date(Date.now() + Number(days) * 86_400_000).toISOString(),
        password: password ? String(password) : null,
        anonymous: anonymous === true,
        views: 0,
      });
      return ok(201, { id, url: `/s/${secret}/` });
    }
    if ((found = at('DELETE /links/*'))) {
      const link = this.links.get(found[1]!);
      if (!link) throw unseen();
      this.batch(link.batch, me, 'teacher');
      this.links.delete(link.id);
      return ok(204);
    }
    throw unseen();
  }

  private async report(
    method: string,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const me = this.who(request);
    const [, , id = '', , file = ''] = path.split('/');
    const batch = this.batch(id, me, method === 'PUT' ? 'teacher' : 'reader');
    if (file === 'marks') {
      if (method === 'PUT') {
        if (request.headers['if-match'] !== `"${batch.etag}"`)
          throw new Refused(412, 'somebody else has changed the marks; read them again');
        batch.marks = (await body(request, 1 << 20)).toString();
        batch.etag++;
      }
      response.setHeader('ETag', `"${batch.etag}"`);
      this.send(request, response, 200, JSON.parse(batch.marks));
      return;
    }
    if (batch.state !== 'done') throw unseen();
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="en"><meta name="fanmill-server" content="marks"><title>Report</title><main><h1>Report of ${batch.files.length} files</h1></main>`,
    );
  }

  private async shared(
    method: string,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const link = [...this.links.values()].find(({ secret }) => path.startsWith(`/s/${secret}/`));
    if (!link || Date.parse(link.expires) < Date.now()) throw unseen();
    const given = method === 'POST' ? new URLSearchParams((await body(request, 4096)).toString()) : null;
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    if (link.password !== null && given?.get('password') !== link.password) {
      response.end(
        '<!doctype html><html lang="en"><title>Password</title><form method="post"><label>Password <input name="password" type="password"></label><button>Open</button></form>',
      );
      return;
    }
    link.views++;
    response.end('<!doctype html><html lang="en"><title>Report</title><main><h1>Shared report</h1></main>');
  }
}

const shown = ({ id, name, role }: User) => ({ id, name, role });
const row = ({ id, title, state, created, files, bytes, progress, error, summary }: Batch) => ({
  id,
  title,
  state,
  created,
  n_files: files.length,
  bytes,
  progress,
  error,
  summary,
});

/** Extent and findings of a batch of 48, with changes. */
export const summary = (more: Partial<Summary> = {}): Summary => ({
  best: 0.87,
  compared: 'whole',
  is_cut_off: false,
  n_earlier: 0,
  n_incomplete: 1,
  n_left_out: 1,
  n_notices: 2,
  n_pairs: 20,
  n_standing_out: 3,
  n_submissions: 48,
  n_unread: 0,
  nothing: null,
  reasons: [
    { n: 1, outcome: 'skipped', reason: 'binary content' },
    { n: 1, outcome: 'flagged', reason: '12 letters look like others' },
  ],
  taken: '48 people by Moodle names with 1 file or folder each',
  ...more,
});
