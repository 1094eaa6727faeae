// Proxies in front of the service, set up as docs/serve.md says: nginx, Apache, Caddy, or one of a few lines; at the root
// of a host, or below a path.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type Server } from 'node:http';
import { createServer as listener, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT, temporary } from '../write.ts';

type Program = 'nginx' | 'apache' | 'caddy' | 'plain';

/** A proxy, and the path below which it has the service: `nginx`, or `nginx/copies`. */
export type Kind = Program | `${Program}/copies`;

const isThere = (program: string) => spawnSync('which', [program]).status === 0;

/** The proxies that TERM_PROXIES names, or else nginx where it is installed, with the service below a path. */
export function kinds(): Kind[] {
  const named = process.env.TERM_PROXIES?.split(' ').filter(Boolean) as Kind[] | undefined;
  return named ?? [isThere('nginx') ? 'nginx/copies' : 'plain/copies'];
}

export async function freePort(): Promise<number> {
  const server = listener();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The ports of a proxy and of the service behind it, and the path below which the service is: empty, or `/copies`. */
interface Places {
  port: number;
  behind: number;
  prefix: string;
}

/**
 * The settings that docs/serve.md has for a proxy, from `begin` to `end`, for these places and without the lines of TLS.
 * Below a path, they are those with `/copies/` where there was `/`, as it says.
 */
function documented(begin: string, end: string, { port, behind, prefix }: Places): string {
  const text = readFileSync(join(ROOT, 'docs/serve.md'), 'utf8');
  const at = text.indexOf(`    ${begin}\n`);
  const block = text.slice(at, text.indexOf(`\n    ${end}\n`, at) + end.length + 6);
  if (
    at < 0 ||
    !block.includes(':443') === !block.includes(' 443 ssl') ||
    !block.includes('http://127.0.0.1:7474')
  )
    throw new Error(`docs/serve.md has no settings that begin with ${begin}`);
  return block
    .replace('location / {', `location ${prefix}/ {`)
    .replace('ProxyPass / http://127.0.0.1:7474/', `ProxyPass ${prefix}/ http://127.0.0.1:7474${prefix}/`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace('*:443', `127.0.0.1:${port}`)
    .replace('SSLEngine on', '')
    .replace('copies.example.edu', 'localhost')
    .replace('127.0.0.1:7474', `127.0.0.1:${behind}`);
}

function nginx(places: Places): ChildProcess {
  const folder = temporary('nginx');
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const settings = join(folder, 'nginx.conf');
  writeFileSync(
    settings,
    `pid ${join(folder, 'pid')};\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${own}\n${documented('server {', '}', places)}}\n`,
  );
  return spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', settings], { stdio: 'inherit' });
}

function apache(places: Places): ChildProcess {
  const folder = temporary('apache');
  const settings = join(folder, 'apache.conf');
  const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http']
    .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    .join('\n');
  const block = documented('<VirtualHost *:443>', '</VirtualHost>', places);
  writeFileSync(
    settings,
    `ServerRoot ${folder}\nPidFile ${join(folder, 'pid')}\nErrorLog ${join(folder, 'log')}\nListen 127.0.0.1:${places.port}\n${modules}\n${block}\n`,
  );
  return spawn('apache2', ['-f', settings, '-DFOREGROUND'], { stdio: 'inherit' });
}

function caddy({ port, behind, prefix }: Places): ChildProcess {
  const folder = temporary('caddy');
  const settings = join(folder, 'Caddyfile');
  mkdirSync(join(folder, 'home'));
  writeFileSync(
    settings,
    `{\nadmin off\nauto_https off\n}\nhttp://localhost:${port} {\nbind 127.0.0.1\nreverse_proxy ${prefix && `${prefix}/*`} 127.0.0.1:${behind}\n}\n`,
  );
  const env = { ...process.env, HOME: join(folder, 'home') };
  return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', settings], { stdio: 'ignore', env });
}

/** Takes the path off, which the service knows as well. */
function plain({ port, behind, prefix }: Places): Server {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress };
    const { method } = request;
    const path = request.url!.replace(prefix, '') || '/';
    const passed = ask({ host: '127.0.0.1', port: behind, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  server.listen(port, '127.0.0.1');
  return server;
}

/** A proxy, and how it is ended. */
export interface Proxy {
  address: string;
  stop: () => void;
}

const prefixOf = (kind: Kind) => (kind.endsWith('/copies') ? '/copies' : '');

/** The address of the service at a port of this proxy. */
export const addressOf = (kind: Kind, port: number) => `http://localhost:${port}${prefixOf(kind)}`;

/** Starts a proxy on `port` for what listens on `behind`. */
export async function start(kind: Kind, port: number, behind: number): Promise<Proxy> {
  const address = addressOf(kind, port);
  const places = { port, behind, prefix: prefixOf(kind) };
  const program = kind.replace('/copies', '') as Program;
  let stop: () => void;
  if (program === 'plain') {
    const server = plain(places);
    stop = () => {
      server.close();
      server.closeAllConnections();
    };
  } else {
    const child = { nginx, apache, caddy }[program](places);
    stop = () => child.kill('SIGTERM');
  }
  for (let tries = 0; ; tries++) {
    try {
      await fetch(address);
      return { address, stop };
    } catch (error) {
      if (tries === 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
