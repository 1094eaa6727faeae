// Proxies in front of the service, set up as docs/serve.md says: nginx, Caddy, or one of a few lines.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type Server } from 'node:http';
import { createServer as listener, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT, temporary } from '../write.ts';

export type Kind = 'nginx' | 'caddy' | 'plain';

const isThere = (program: string) => spawnSync('which', [program]).status === 0;

/** The proxies that TERM_PROXIES names, or else nginx where it is installed. */
export function kinds(): Kind[] {
  const named = process.env.TERM_PROXIES?.split(' ').filter(Boolean) as Kind[] | undefined;
  return named ?? [isThere('nginx') ? 'nginx' : 'plain'];
}

export async function freePort(): Promise<number> {
  const server = listener();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The block of nginx's settings in docs/serve.md, for these ports and without TLS. */
function documented(port: number, behind: number): string {
  const text = readFileSync(join(ROOT, 'docs/serve.md'), 'utf8');
  const block = /^ {4}server \{\n[\s\S]*?^ {4}\}\n/m.exec(text)?.[0];
  if (!block?.includes('listen 443 ssl;') || !block.includes('http://127.0.0.1:7474'))
    throw new Error('docs/serve.md has no settings for nginx');
  return block
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace('copies.example.edu', 'localhost')
    .replace('127.0.0.1:7474', `127.0.0.1:${behind}`);
}

function nginx(port: number, behind: number): ChildProcess {
  const folder = temporary('nginx');
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const settings = join(folder, 'nginx.conf');
  writeFileSync(
    settings,
    `pid ${join(folder, 'pid')};\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${own}\n${documented(port, behind)}}\n`,
  );
  return spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', settings], { stdio: 'inherit' });
}

function caddy(port: number, behind: number): ChildProcess {
  const folder = temporary('caddy');
  const settings = join(folder, 'Caddyfile');
  mkdirSync(join(folder, 'home'));
  writeFileSync(
    settings,
    `{\nadmin off\nauto_https off\n}\nhttp://localhost:${port} {\nbind 127.0.0.1\nreverse_proxy 127.0.0.1:${behind}\n}\n`,
  );
  const env = { ...process.env, HOME: join(folder, 'home') };
  return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', settings], { stdio: 'ignore', env });
}

function plain(port: number, behind: number): Server {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress };
    const { method, url: path } = request;
    const passed = ask({ host: '127.0.0.1', port: behind, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
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

/** Starts a proxy on `port` for what listens on `behind`. */
export async function start(kind: Kind, port: number, behind: number): Promise<Proxy> {
  const address = `http://localhost:${port}`;
  let stop: () => void;
  if (kind === 'plain') {
    const server = plain(port, behind);
    stop = () => {
      server.close();
      server.closeAllConnections();
    };
  } else {
    const child = kind === 'nginx' ? nginx(port, behind) : caddy(port, behind);
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
