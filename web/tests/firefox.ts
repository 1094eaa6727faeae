// Drives the system's Firefox by Marionette, which it speaks without a driver program: JSON arrays with their
// length before them, over a socket.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporary } from './write.ts';

export const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

type Answer = { value?: unknown };

export class Firefox {
  private number = 0;
  private buffer = Buffer.alloc(0);
  private readonly waiting = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (e: Error) => void }
  >();

  private constructor(
    private readonly process: ChildProcess,
    private readonly socket: Socket,
  ) {
    socket.on('data', (bytes) => this.take(bytes));
  }

  static async launch(): Promise<Firefox> {
    const profile = temporary('firefox');
    // Firefox chooses a free port, and writes it into its profile.
    writeFileSync(join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n');
    const process = spawn(FIREFOX, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
      stdio: 'ignore',
      env: { ...globalThis.process.env, HOME: profile },
    });
    for (let tries = 0; tries < 3000; tries++) {
      await setTimeout(100);
      try {
        const port = Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8'));
        const socket = connect(port, '127.0.0.1');
        await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
        const firefox = new Firefox(process, socket);
        await firefox.ask('WebDriver:NewSession', {
          capabilities: { alwaysMatch: { timeouts: { script: 600_000, pageLoad: 600_000 } } },
        });
        return firefox;
      } catch (error) {
        if (!/ENOENT|ECONNREFUSED/.test(String(error))) throw error;
      }
    }
    process.kill();
    throw new Error(`${FIREFOX} has not opened its port`);
  }

  async open(address: string): Promise<void> {
    // Only a change behind `#` is no new page.
    await this.ask('WebDriver:Navigate', { url: 'about:blank' });
    await this.ask('WebDriver:Navigate', { url: address });
  }

  /** What the body of a function returns in the page; it may await. */
  async run(script: string): Promise<unknown> {
    const body = `const done = arguments[0]; (async () => { ${script} })().then(done, (e) => done('failed: ' + e));`;
    return (await this.ask('WebDriver:ExecuteAsyncScript', { script: body, args: [] })).value;
  }

  /** Waits until an expression is true in the page, or in one that it leads to. */
  async until(expression: string): Promise<void> {
    for (let i = 0; i < 3000; i++) {
      const held = this.run(`return Boolean(${expression})`).catch((error) => {
        if (!/unloaded/.test(String(error))) throw error;
      });
      if ((await held) === true) return;
      await setTimeout(50);
    }
    throw new Error(`never so in Firefox: ${expression}`);
  }

  /** Types into the field that the selector finds, as a reader would; into one for files, the file's path. */
  async type(selector: string, text: string): Promise<void> {
    const found = await this.ask('WebDriver:FindElement', { using: 'css selector', value: selector });
    const [id] = Object.values(found.value as Record<string, string>);
    await this.ask('WebDriver:ElementSendKeys', { id, text });
  }

  /** The page as a PDF. */
  async print(): Promise<Buffer> {
    return Buffer.from(String((await this.ask('WebDriver:Print', {})).value), 'base64');
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.socket.destroy();
    this.process.kill();
    await ended;
  }

  private ask(command: string, parameters: object): Promise<Answer> {
    const number = ++this.number;
    const message = JSON.stringify([0, number, command, parameters]);
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
  }

  private take(bytes: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, bytes]);
    for (;;) {
      const colon = this.buffer.indexOf(':');
      const length = Number(this.buffer.subarray(0, Math.max(0, colon)).toString());
      if (colon < 1 || this.buffer.length < colon + 1 + length) return;
      const message = JSON.parse(this.buffer.subarray(colon + 1, colon + 1 + length).toString());
      this.buffer = this.buffer.subarray(colon + 1 + length);
      // The first message is a greeting.
      if (!Array.isArray(message)) continue;
      const [, number, error, answer] = message;
      const waiting = this.waiting.get(number);
      this.waiting.delete(number);
      if (error) waiting?.reject(new Error(JSON.stringify(error)));
      else waiting?.resolve(answer ?? {});
    }
  }
}
