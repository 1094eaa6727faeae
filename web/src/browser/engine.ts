// Calls the comparison that is a WebAssembly module: `crates/fanmill-wasm`, whose `exports.rs` says how bytes cross.

/** What a comparison reports while it runs. */
export interface Watch {
  /** A step begins that has `total` parts; 0 if nobody knows. */
  begin(step: string, total: number): void;
  /** So many more parts are done. */
  advance(n: number): void;
}

/** The settings of a comparison and its inputs, as `fanmill-jobs` reads them; paths are those of added files. */
export type Request = Record<string, unknown>;

/** What the module says about files and settings that it does not take. */
export class Refused extends Error {}

/** The module came to an end in the middle of its work, and cannot be used any more; `said` is its own account of a fault. */
export class Ended extends Error {
  constructor(
    readonly why: 'memory' | 'fault',
    said = '',
  ) {
    super(said);
  }
}

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  path(): void;
  file(): number;
  compare(): number;
  languages(): void;
  next(): number;
  text(): number;
  text_length(): number;
  bytes(): number;
  bytes_length(): number;
}

export class Engine {
  private constructor(
    private readonly exports: Exports,
    /** What the module says of the fault that ends it. */
    private readonly said: { fault: string },
  ) {}

  static async of(module: BufferSource, watch: Watch): Promise<Engine> {
    const compiled = await WebAssembly.compile(module);
    const said = { fault: '' };
    let exports: Exports | null = null;
    const textAt = (at: number, length: number) =>
      new TextDecoder().decode(new Uint8Array(exports!.memory.buffer, at >>> 0, length));
    const imports: WebAssembly.Imports = {
      page: {
        begin: (at: number, length: number, total: number) => watch.begin(textAt(at, length), total),
        advance: (n: number) => watch.advance(n),
        fault: (at: number, length: number) => (said.fault = textAt(at, length)),
      },
    };
    // What a library of the module's imports for random numbers, which nothing in it asks for.
    for (const { module: from, name } of WebAssembly.Module.imports(compiled)) {
      if (from !== 'page') (imports[from] ??= {})[name] = () => never(name);
    }
    const instance = await WebAssembly.instantiate(compiled, imports);
    exports = instance.exports as unknown as Exports;
    return new Engine(exports, said);
  }

  /** Adds a file. */
  add(path: string, bytes: Uint8Array): void {
    this.attempt(() => {
      this.put(new TextEncoder().encode(path));
      this.exports.path();
      this.put(bytes);
      if (!this.exports.file()) throw new Refused(this.text());
    });
  }

  /** Compares the files that were added; the files of the report, by their paths in its folder. */
  compare(request: Request): Map<string, Uint8Array<ArrayBuffer>> {
    return this.attempt(() => {
      this.put(new TextEncoder().encode(JSON.stringify(request)));
      if (!this.exports.compare()) throw new Refused(this.text());
      const files = new Map<string, Uint8Array<ArrayBuffer>>();
      while (this.exports.next()) {
        const { memory, bytes, bytes_length } = this.exports;
        files.set(this.text(), new Uint8Array(memory.buffer, bytes() >>> 0, bytes_length() >>> 0).slice());
      }
      return files;
    });
  }

  /** The names of the languages that are read. */
  languages(): string[] {
    return this.attempt(() => {
      this.exports.languages();
      return this.text().split('\n');
    });
  }

  private put(bytes: Uint8Array): void {
    const at = this.exports.room(bytes.length) >>> 0;
    if (at === 0) throw new Ended('memory');
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  private text(): string {
    const { memory, text, text_length } = this.exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text() >>> 0, text_length() >>> 0));
  }

  /** Calls the module; it ends by a trap where a program of its own would end. */
  private attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof Refused || error instanceof Ended) throw error;
      // A fault says what it is; running out of memory ends without a word.
      if (this.said.fault === '') throw new Ended('memory');
      throw new Ended('fault', this.said.fault);
    }
  }
}

function never(name: string): never {
  throw new Error(`${name} is called`);
}
