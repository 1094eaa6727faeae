// Sentences in the reader's language: from one file for each language, with places for names and numbers.
import type english from '../words/en.json';

/** The sentences of a language by their keys; those that count something have a form for each plural category. */
export type Wording = typeof english;

/** A key of a sentence that counts nothing. */
export type Key = { [K in keyof Wording]: Wording[K] extends string ? K : never }[keyof Wording];
/** A key of a sentence with plural forms. */
export type CountedKey = Exclude<keyof Wording, Key>;

type Values = Record<string, string>;

export class Words {
  private readonly plurals: Intl.PluralRules;

  constructor(
    /** A language tag, as in `lang` of HTML. */
    readonly language: string,
    private readonly wording: Wording,
  ) {
    this.plurals = new Intl.PluralRules(language);
  }

  say(key: Key, values: Values = {}): string {
    return filled(this.wording[key], values);
  }

  /** A sentence about `n` of something; `{n}` stands for the number. */
  counted(key: CountedKey, n: number, values: Values = {}): string {
    const forms: Record<string, string> = this.wording[key];
    return filled(forms[this.plurals.select(n)] ?? forms.other ?? '', { n: this.count(n), ...values });
  }

  count(n: number): string {
    return n.toLocaleString(this.language);
  }

  /** A score with two digits. */
  score(value: number): string {
    const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return Number.isFinite(value) ? value.toLocaleString(this.language, two) : '–';
  }

  /** A time in UTC, since a report must read the same everywhere. */
  time(time: number): string {
    const format = new Intl.DateTimeFormat(this.language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: 'UTC',
    });
    return `${format.format(time)} UTC`;
  }
}

const filled = (text: string, values: Values) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));

/** The language to begin with: the first of those a reader prefers that there are words for. */
export function preferred(wanted: readonly string[], known: readonly string[]): string {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0]!;
    const found = known.find((one) => one === tag.toLowerCase()) ?? known.find((one) => one === base);
    if (found) return found;
  }
  return 'en';
}
