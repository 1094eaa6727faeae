// The module makes the same reports as the command: every file of them, byte for byte.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { zipSync } from 'fflate';
import { Ended, Refused } from '../../src/browser/engine.ts';
import { ROOT, temporary } from '../write.ts';
import { BUILT, byCommand, byModule, engine, filesBelow, missing, type Files } from './module.ts';

const EXAMPLES = join(ROOT, 'examples');
const ASSIGNMENT = join(EXAMPLES, 'assignment');

function assertEqual(found: Files, expected: Files): void {
  assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
  for (const [name, bytes] of expected)
    assert.ok(Buffer.from(bytes).equals(found.get(name)!), `${name} differs from the command's`);
}

/** Writes files into a folder of their own, for the command. */
function onDisk(files: Files): string {
  const folder = temporary('given');
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  return folder;
}

const zipOf = (folder: string) => zipSync(Object.fromEntries(filesBelow(join(ASSIGNMENT, folder))));
const notices = (files: Files) => {
  const report = JSON.parse(Buffer.from(files.get('report.json')!).toString()) as {
    notices: { path: string; outcome: string; reason: string }[];
  };
  return report.notices.map(({ path, outcome, reason }) => `${outcome} ${path}: ${reason}`);
};

describe('the comparison as a WebAssembly module', { skip: missing('fanmill.wasm') }, () => {
  it('compares the folders of an assignment as the command does', async () => {
    const inputs = { paths: ['manifest.csv'], base: ['handout'], archive: ['last-year'] };
    const args = ['manifest.csv', '--base', 'handout', '--archive', 'last-year'];
    const found = await byModule(filesBelow(ASSIGNMENT), inputs);
    assertEqual(found, byCommand(ASSIGNMENT, args));
    assert.ok(found.size > 30, 'a report with its page and data');
  });

  it('compares zips as the command does, a damaged one too', async () => {
    const submissions = zipOf('submissions');
    const files: Files = new Map([
      ['submissions.zip', submissions],
      ['handout.zip', zipOf('handout')],
      ['last-year.zip', zipOf('last-year')],
      ['damaged.zip', submissions.slice(0, (2 * submissions.length) / 3)],
    ]);
    const folder = onDisk(files);
    for (const name of ['submissions.zip', 'damaged.zip']) {
      const inputs = { paths: [name], base: ['handout.zip'], archive: ['last-year.zip'] };
      const args = [name, '--base', 'handout.zip', '--archive', 'last-year.zip'];
      const found = await byModule(files, inputs);
      assertEqual(found, byCommand(folder, args));
      assert.equal(
        notices(found).some((notice) => notice.includes('cut off or damaged')),
        name === 'damaged.zip',
      );
    }
  });

  it('compares essays as the command does, with settings and pseudonyms', async () => {
    const settings = { words: { noise: 5, guarantee: 15 }, 'max-docs': '80%', quotes: true };
    const inputs = { paths: ['essays'], anonymous: true, title: 'Waiting for the bus' };
    const config = join(temporary('config'), 'fanmill.toml');
    writeFileSync(
      config,
      '[compare]\nquotes = true\nmax-docs = "80%"\n[compare.words]\nnoise = 5\nguarantee = 15\n',
    );
    const args = ['essays', '--anonymous', '--title', 'Waiting for the bus', '--config', config];
    const essays = new Map(
      [...filesBelow(join(EXAMPLES, 'essays'))].map(([name, bytes]) => [`essays/${name}`, bytes]),
    );
    assertEqual(await byModule(essays, inputs, settings), byCommand(EXAMPLES, args));
    assertEqual(await byModule(essays, { paths: ['essays'] }), byCommand(EXAMPLES, ['essays']));
  });

  it('names what it does not read', async () => {
    const zstandard = new Uint8Array(600).fill(7);
    zstandard.set([0x28, 0xb5, 0x2f, 0xfd]);
    const files: Files = new Map([
      ['class/ada.tar.zst', zstandard],
      ['class/bo.pdf', Buffer.from('%PDF-1.4\n%\xe2\xe3')],
      ['class/cy.py', Buffer.from('x = 1\n')],
    ]);
    const found = notices(await byModule(files, { paths: ['class'] }));
    assert.ok(
      found.some((notice) =>
        /^skipped ada.tar.zst: binary: packed by Zstandard.*repack it as zip$/.test(notice),
      ),
      found.join('\n'),
    );
    assert.ok(
      found.some((notice) => /^skipped bo.pdf: a PDF document/.test(notice)),
      found.join('\n'),
    );
  });

  it('refuses what makes no sense, and can be used again', async () => {
    const module = await engine();
    const refuses = (act: () => unknown, words: RegExp) =>
      assert.throws(act, (error) => error instanceof Refused && words.test(error.message));
    module.add('a/b.py', Buffer.from('x = 1'));
    refuses(() => module.add('a/b.py', Buffer.from('x = 2')), /given twice/);
    refuses(() => module.add('../b.py', Buffer.from('x = 2')), /no path of a file/);
    refuses(() => module.compare({ noise: 9, guarantee: 5, paths: ['a'] }), /“Shortest match”/);
    refuses(() => module.compare({ paths: ['a'] }), /`a` does not exist/);
    module.add('a/b.py', Buffer.from('x = 1'));
    assert.ok(module.compare({ paths: ['a'] }).has('report.json'));
  });

  it('ends with a reason where memory does', async () => {
    const module = await engine();
    const huge = { length: 0xffff_0000 } as Uint8Array;
    assert.throws(
      () => module.add('a', huge),
      (error) => error instanceof Ended && error.why === 'memory',
    );
  });

  it('says which fault of ours ends it', async () => {
    // A call while the module is at work is a fault of the caller, which the module ends by.
    const module = await engine({
      begin: () => void (module as unknown as { exports: { room(n: number): void } }).exports.room(1),
      advance: () => undefined,
    });
    module.add('a/b.py', Buffer.from('x = 1'));
    assert.throws(
      () => module.compare({ paths: ['a'] }),
      (error) => error instanceof Ended && error.why === 'fault' && /already borrowed/.test(error.message),
    );
  });

  it('can ask for nothing but to be listened to', () => {
    const compiled = new WebAssembly.Module(readFileSync(join(BUILT, 'fanmill.wasm')));
    const imports = WebAssembly.Module.imports(compiled);
    const own = imports.filter(({ module }) => module === 'page').map(({ name }) => name);
    assert.deepEqual(own.sort(), ['advance', 'begin', 'fault']);
    // A library's hooks for random numbers, which only throw here.
    const others = imports.filter(({ module }) => module !== 'page').map(({ module }) => module);
    assert.ok(
      others.every((module) => module.startsWith('__wbindgen_')),
      others.join(),
    );
  });
});
