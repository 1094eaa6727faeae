// The wording files of the report about one person, and the names that it hides.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hiding } from '../../src/logic/mask.ts';
import { preferred, Words, type Wording } from '../../src/logic/wording.ts';
import { letterOf } from '../../src/logic/student.ts';
import { WEB } from '../write.ts';

const FOLDER = join(WEB, 'src/words');
const LANGUAGES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -5));
type Entry = string | Record<string, string>;
const wordingOf = (language: string) =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Record<string, Entry>;
const placesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
const english = wordingOf('en');

describe('the wording files', () => {
  it('are English, German, and whatever else lies there', () => {
    assert.ok(['de', 'en'].every((language) => LANGUAGES.includes(language)));
  });
  for (const language of LANGUAGES) {
    it(`of ${language} has the same keys and places as the English one`, () => {
      const wording = wordingOf(language);
      assert.deepEqual(Object.keys(wording), Object.keys(english));
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
      for (const [key, entry] of Object.entries(wording)) {
        const model = english[key]!;
        if (typeof entry === 'string' || typeof model === 'string') {
          assert.equal(typeof entry, typeof model, key);
          assert.deepEqual(placesIn(entry as string), placesIn(model as string), key);
          continue;
        }
        assert.deepEqual(Object.keys(entry).sort(), forms, key);
        for (const form of Object.values(entry))
          assert.deepEqual(placesIn(form), placesIn(model.other!), key);
      }
    });
  }
  it('give numbers and plurals as the language writes them', () => {
    const words = new Words('de', wordingOf('de') as unknown as Wording);
    assert.equal(words.counted('words', 1), '1 Wort');
    assert.equal(words.counted('words', 12345), '12.345 Wörter');
    assert.equal(words.score(0.5), '0,50');
    assert.equal(words.say('title', { name: '{n} $& <b>' }), 'Bericht über {n} $& <b>');
  });
  it('are chosen by what the browser asks for', () => {
    assert.equal(preferred(['fr-CH', 'de-CH', 'en'], ['de', 'en']), 'de');
    assert.equal(preferred(['fr'], ['de', 'en']), 'en');
  });
  it('call people by letters', () => {
    assert.deepEqual([0, 25, 26, 27, 52, 702].map(letterOf), ['A', 'Z', 'AA', 'AB', 'BA', 'AAA']);
  });
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
