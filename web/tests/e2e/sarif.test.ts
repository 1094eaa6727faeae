// The results for code hosts and editors are what the schema of SARIF 2.1.0 allows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Ajv from 'ajv';
import { fanmill } from '../example.ts';
import { ROOT, temporary } from '../write.ts';

const load = createRequire(import.meta.url);

/** What the schema has against a log. */
const faults = (() => {
  const ajv = new Ajv({
    schemaId: 'id',
    meta: false,
    allErrors: true,
    unknownFormats: ['uri', 'uri-reference'],
  });
  ajv.addMetaSchema(load('ajv/lib/refs/json-schema-draft-04.json'));
  const check = ajv.compile(load('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));
  return (log: unknown): string[] => {
    void check(log);
    return (check.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
  };
})();

interface Log {
  runs: { results: Record<string, unknown>[] }[];
}

function log(folder: string, args: string[]): Log {
  const text = execFileSync(fanmill(), [...args, '--format', 'sarif'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return JSON.parse(text) as Log;
}

function assertValid(found: Log): void {
  const { results } = found.runs[0]!;
  assert.ok(results.length > 0);
  assert.deepEqual(faults(found), []);
  // The schema is really asked: it knows what a result must have.
  const broken = structuredClone(found);
  delete broken.runs[0]!.results[0]!.message;
  broken.runs[0]!.results.push({ ...results[0], level: 'fatal' });
  assert.deepEqual(faults(broken).length, 2, faults(broken).join('\n'));
}

describe('SARIF', () => {
  const examples = join(ROOT, 'examples');

  it('of a comparison is valid', () => {
    assertValid(log(examples, ['compare', 'assignment/submissions', '--base', 'assignment/handout']));
    assertValid(log(examples, ['compare', 'essays']));
  });

  it('of a search is valid', () => {
    const index = join(temporary('index'), 'seen');
    execFileSync(fanmill(), ['index', 'add', index, 'assignment/last-year'], {
      cwd: examples,
      stdio: 'ignore',
    });
    assertValid(log(examples, ['search', index, 'assignment/submissions']));
  });
});
