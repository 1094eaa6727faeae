// The program itself, as a server to look at.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fanmill } from '../example.ts';
import { temporary } from '../write.ts';

/** Where a program runs that is started again later, or stands behind a proxy. */
export interface Place {
  /** The folder of its data and settings. */
  folder: string;
  listen: string;
}

export class Program {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
    /** The one-time link of the first start; empty at a later one. */
    readonly first: string,
    /** What it said on standard error. */
    readonly said: string[],
  ) {}

  /** Starts it, in a folder of its own unless told otherwise; `settings` is a table of `serve.toml`. */
  static async start(settings = '', env: Record<string, string> = {}, place?: Place): Promise<Program> {
    const { folder, listen } = place ?? { folder: temporary('data'), listen: '127.0.0.1:0' };
    const config = join(folder, 'serve.toml');
    const data = join(folder, 'data');
    const isNew = !existsSync(data);
    writeFileSync(config, `[serve]\nlisten = "${listen}"\n${settings}`);
    const args = ['serve', '--data', data, '--config', config];
    const child = spawn(fanmill(), args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    const said: string[] = [];
    const [address, first = ''] = await new Promise<string[]>((resolve, reject) => {
      const found: string[] = [];
      child.on('exit', () => reject(new Error(said.join('\n'))));
      createInterface({ input: child.stderr! }).on('line', (line) => {
        said.push(line);
        const url = /(?:serving|administrator at) (http:\S+)/.exec(line)?.[1];
        if (url) found.push(url);
        if (found.length === (isNew ? 2 : 1)) resolve(found);
      });
    });
    return new Program(child, address!, first, said);
  }

  get pid(): number {
    return this.child.pid!;
  }

  stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<unknown> {
    this.child.removeAllListeners('exit');
    const gone = new Promise((resolve) => this.child.on('exit', resolve));
    this.child.kill(signal);
    return gone;
  }
}
