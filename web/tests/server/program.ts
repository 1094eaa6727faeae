// The program itself, as a server to look at.
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fanmill } from '../example.ts';
import { temporary } from '../write.ts';

export class Program {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
    /** The one-time link of the first start. */
    readonly first: string,
    /** What it said on standard error. */
    readonly said: string[],
  ) {}

  /** Starts it in a folder of its own; `settings` is a table of `serve.toml`. */
  static async start(settings = '', env: Record<string, string> = {}): Promise<Program> {
    const folder = temporary('data');
    const config = join(folder, 'serve.toml');
    writeFileSync(config, `[serve]\nlisten = "127.0.0.1:0"\n${settings}`);
    const args = ['serve', '--data', join(folder, 'data'), '--config', config];
    const child = spawn(fanmill(), args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    const said: string[] = [];
    const [address, first] = await new Promise<string[]>((resolve, reject) => {
      const found: string[] = [];
      child.on('exit', () => reject(new Error(said.join('\n'))));
      createInterface({ input: child.stderr! }).on('line', (line) => {
        said.push(line);
        const url = /(?:serving|administrator at) (http:\S+)/.exec(line)?.[1];
        if (url) found.push(url);
        if (found.length === 2) resolve(found);
      });
    });
    return new Program(child, address!, first!, said);
  }

  stop(): Promise<unknown> {
    this.child.removeAllListeners('exit');
    const gone = new Promise((resolve) => this.child.on('exit', resolve));
    this.child.kill('SIGTERM');
    return gone;
  }
}
