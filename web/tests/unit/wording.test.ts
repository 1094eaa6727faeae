// The wording files of the pages: complete in each language, used, and the only place of what people read; and the names that a
// report about one person hides.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import '../english.ts';
import { hiding } from '../../src/logic/mask.ts';
import { preferred } from '../../src/logic/wording.ts';
import { letterOf } from '../../src/logic/student.ts';
import { nodesOf, reachedFrom, SOURCES, type TreeNode } from '../sources.ts';
import { filesOf, LANGUAGES, wordsOf, type Entry } from '../words.ts';

const placesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
const english = filesOf('en');
const areaOf = new Map([...english].flatMap(([area, words]) => Object.keys(words).map((key) => [key, area])));

/** Keys whose places a style sheet fills, and one that only `Words` reads. */
const PAGE_NUMBERS = new Set(['page', 'page-number']);
const OWN = new Set(['locale']);

/** The pages: their first modules, and the files of the wording that they have. */
const PAGES = {
  'main.ts': ['common', 'report', 'student'],
  'server/main.ts': ['common', 'service'],
  'browser/main.ts': ['browser', 'common', 'report', 'service', 'student'],
};

/** The strings of a source that are keys. */
function keysIn(path: string): Set<string> {
  const keys = new Set<string>();
  for (const [node] of nodesOf(path)) {
    const text = node.type === 'Literal' ? node.value : node.type === 'Text' ? node.data : null;
    if (typeof text === 'string' && areaOf.has(text)) keys.add(text);
  }
  return keys;
}

/** The calls of `say` and `counted` with a key and values that can be read, as keys and names of values. */
function* callsIn(path: string): Generator<[key: string, names: string[]]> {
  const nameOf = (node: TreeNode) => (node.name ?? (node.property as TreeNode | undefined)?.name) as string;
  for (const [node] of nodesOf(path)) {
    if (node.type !== 'CallExpression') continue;
    const called = nameOf(node.callee as TreeNode);
    if (called !== 'say' && called !== 'counted') continue;
    const given = node.arguments as TreeNode[];
    const [key, values] = [given[0]!, given[called === 'say' ? 1 : 2]];
    if (key.type !== 'Literal' || (values && values.type !== 'ObjectExpression')) continue;
    const names = ((values?.properties ?? []) as TreeNode[]).map((one) => nameOf(one.key as TreeNode));
    yield [key.value as string, called === 'counted' ? [...names, 'n'] : names];
  }
}

/** Attributes that people read or hear. */
const READ =
  /^(alt|aria-(description|label|placeholder|roledescription|valuetext)|heading|hint|label|placeholder|title)$/;
/** Text that is the same in every language: the product, a file's name, and the names of keys. */
const SAME = new Set(['Fanmill', 'openapi.json', 'n', 'j', 'k', 'Escape']);
/** The source of pseudonyms, whose words have the form of sentences. */
const NAMES = 'logic/anonymise.ts';

/** The text in a source that does not come from the wording. */
function literalTextIn(path: string): string[] {
  const found: string[] = [];
  for (const [node, within] of nodesOf(path)) {
    if (node.type === 'Text') {
      const text = (node.data as string).trim();
      const attribute = within.findLast(({ type }) => type === 'Attribute');
      const isRead = !attribute || READ.test(attribute.name as string);
      if (isRead && /\p{L}/u.test(text) && !SAME.has(text)) found.push(text);
    }
    // A sentence in a script.
    const raw = node.type === 'TemplateElement' ? (node.value as { raw: string }).raw : node.value;
    const isString = node.type === 'TemplateElement' || node.type === 'Literal';
    if (isString && typeof raw === 'string' && path !== NAMES && /\p{Lu}\p{Ll}+ \p{Ll}{2,}/u.test(raw))
      found.push(raw);
  }
  return found;
}

describe('the wording files', () => {
  it('are English, German, and whatever else lies there', () => {
    assert.ok(['de', 'en'].every((language) => LANGUAGES.includes(language)));
  });
  for (const language of LANGUAGES) {
    it(`of ${language} have the same keys and places as the English ones`, () => {
      const files = filesOf(language);
      assert.deepEqual([...files.keys()], [...english.keys()]);
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
      for (const [area, model] of english) {
        const wording = files.get(area)!;
        assert.deepEqual(Object.keys(wording), Object.keys(model), area);
        for (const [key, entry] of Object.entries(wording)) same(key, entry, model[key]!, forms);
      }
    });
  }
  function same(key: string, entry: Entry, model: Entry, forms: string[]): void {
    if (typeof entry === 'string' || typeof model === 'string') {
      assert.equal(typeof entry, typeof model, key);
      assert.deepEqual(placesIn(entry as string), placesIn(model as string), key);
      return;
    }
    assert.deepEqual(Object.keys(entry).sort(), forms, key);
    for (const form of Object.values(entry))
      assert.deepEqual(
        placesIn(form).filter((place) => place !== '{n}'),
        placesIn(model.other!).filter((place) => place !== '{n}'),
        key,
      );
  }
  it('have each key once', () => {
    const all = [...english.values()].flatMap((words) => Object.keys(words));
    assert.equal(new Set(all).size, all.length);
  });
  it('give numbers and plurals as the language writes them', () => {
    const words = wordsOf('de');
    assert.equal(words.counted('words', 1), '1 Wort');
    assert.equal(words.counted('words', 12345), '12\u202f345 Wörter');
    assert.equal(words.score(0.5), '0,50');
    assert.equal(words.percent(0.004), '<1\u202f%');
    assert.equal(words.duration(50 * 3_600_000), '2\u00a0Tage');
    assert.equal(words.time(Date.UTC(2026, 2, 2, 21, 14)), '2. März 2026, 21:14');
    assert.equal(wordsOf('en').time(Date.UTC(2026, 2, 2, 21, 14)), '2 Mar 2026, 21:14');
    assert.equal(words.say('title', { name: '{n} $& <b>' }), 'Bericht über {n} $& <b>');
  });
  it('are cut where elements stand in a sentence, and not where a value looks like one', () => {
    const pieces = wordsOf('en').pieces('missing-damaged', undefined, { file: '`{n}`' });
    assert.deepEqual(pieces, [
      { kind: 'marked', text: '`{n}`' },
      { kind: 'text', text: ' is damaged.' },
    ]);
    const [place] = wordsOf('en').pieces('why-every-time', undefined, {});
    assert.deepEqual(place, { kind: 'place', text: 'names' });
  });
  it('are chosen by what the browser asks for', () => {
    assert.equal(preferred(['fr-CH', 'de-CH', 'en'], ['de', 'en']), 'de');
    assert.equal(preferred(['fr'], ['de', 'en']), 'en');
  });
  it('call people by letters', () => {
    assert.deepEqual([0, 25, 26, 27, 52, 702].map(letterOf), ['A', 'Z', 'AA', 'AB', 'BA', 'AAA']);
  });
});

describe('the sources of the pages', () => {
  it('have no text of their own that people read', () => {
    const found = SOURCES.flatMap((path) => literalTextIn(path).map((text) => `${path}: ${text}`));
    assert.deepEqual(found, []);
  });
  it('use every key', () => {
    const used = new Set(SOURCES.flatMap((path) => [...keysIn(path)]));
    assert.deepEqual(
      [...areaOf.keys()].filter((key) => !used.has(key) && !OWN.has(key)),
      [],
    );
  });
  it('give a value to each place of a sentence', () => {
    let n = 0;
    for (const path of SOURCES)
      for (const [key, names] of callsIn(path)) {
        if (PAGE_NUMBERS.has(key)) continue;
        const entry = english.get(areaOf.get(key) ?? '')?.[key];
        assert.ok(entry !== undefined, `${path}: ${key}`);
        const text = typeof entry === 'string' ? entry : entry.other!;
        const missing = placesIn(text).filter((place) => !names.includes(place.slice(1, -1)));
        assert.deepEqual(missing, [], `${path}: ${key}`);
        n++;
      }
    assert.ok(n > 200, `${n} calls`);
  });
  for (const [page, areas] of Object.entries(PAGES))
    it(`of ${page} use only words that the page has`, () => {
      const modules = reachedFrom(page);
      assert.ok(modules.size > 40, `${modules.size} modules`);
      for (const path of modules)
        for (const key of keysIn(path))
          // A word such as `name` may be a key of another page, and no key here.
          if (isSaid(path, key)) assert.ok(areas.includes(areaOf.get(key)!), `${path}: ${key}`);
    });
  /** Tells a key from a word of the program that reads as one. */
  function isSaid(path: string, key: string): boolean {
    return [...callsIn(path)].some(([said]) => said === key) || key.includes('-');
  }
});

describe('hiding names', () => {
  const hide = hiding(['Li Wu', 'Bruno Lindqvist', 'Ada Carvalho'], ['Ada Lindqvist']);
  it('keeps every place and the words of the kept name', () => {
    const text = 'by Bruno Lindqvist, ada_lindqvist and CARVALHO';
    assert.equal(hide(text), 'by ••••• •••••••••, ada_lindqvist and ••••••••');
    assert.equal(hide(text).length, text.length);
  });
  it('hides short words only where they are a whole name, in either order', () => {
    assert.equal(hide('Li Wu; Wu, Li; li.wu@mail'), '•• ••; ••, ••; ••.••@mail');
    assert.equal(hide('liwu.zip, BrunoLindqvist.java'), '••••.zip, ••••••••••••••.java');
    assert.equal(hide('<li>Wu says</li> li = wu + 1'), '<li>Wu says</li> li = wu + 1');
  });
});
