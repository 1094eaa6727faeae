// Sentences in a language: from files of JSON, with places for names and numbers.
import type browser from '../words/en/browser.json';
import type common from '../words/en/common.json';
import type report from '../words/en/report.json';
import type service from '../words/en/service.json';
import type student from '../words/en/student.json';

/** The sentences of a language by their keys; those that count something have a form for each plural category. */
export type Wording = typeof common & typeof report & typeof student & typeof service & typeof browser;

/** A key of a sentence that counts nothing. */
export type Key = { [K in keyof Wording]: Wording[K] extends string ? K : never }[keyof Wording];
/** A key of a sentence with plural forms. */
export type CountedKey = Exclude<keyof Wording, Key>;

export type Values = Readonly<Record<string, string>>;

/** A part of a sentence: text as it is, text between backticks, or a place without a value. */
export type Piece = { kind: 'text' | 'marked' | 'place'; text: string };

/** Hours and minutes, in every language from 0 to 23. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const STYLES = {
  /** `2 Mar 2026`. */
  day: { ...DAY, year: 'numeric' },
  /** `2 Mar 2026, 21:14`. */
  moment: { ...DAY, year: 'numeric', ...CLOCK },
  /** `2 March 2026, 21:14`. */
  long: { ...DAY, month: 'long', year: 'numeric', ...CLOCK },
  /** `2 Mar`. */
  date: DAY,
  /** `21:14`. */
  clock: CLOCK,
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export class Words {
  private readonly plurals: Intl.PluralRules;
  private readonly numbers: Intl.NumberFormat;
  private readonly scores: Intl.NumberFormat;
  private readonly tenths: Intl.NumberFormat;
  /** The language's sign between thousands, which may be another's decimal sign. */
  private readonly separator: string;
  private readonly dates = new Map<string, Intl.DateTimeFormat>();

  constructor(
    /** A language tag, as in `lang` of HTML. */
    readonly language: string,
    private readonly wording: Wording,
  ) {
    const { locale } = wording;
    this.plurals = new Intl.PluralRules(locale);
    this.numbers = new Intl.NumberFormat(locale);
    this.scores = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    this.tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.separator = this.numbers.formatToParts(123456).find(({ type }) => type === 'group')?.value ?? '';
  }

  say(key: Key, values: Values = {}): string {
    // A damaged report may ask for words that there are not.
    return filled(this.wording[key] ?? '', values);
  }

  /** A sentence about `n` of something; `{n}` stands for the number. */
  counted(key: CountedKey, n: number, values: Values = {}): string {
    return filled(this.form(key, n), { n: this.count(n), ...values });
  }

  /** A sentence in parts, for elements to stand in it. */
  pieces(key: keyof Wording, n: number | undefined, values: Values): Piece[] {
    const entry = this.wording[key];
    const text = typeof entry === 'string' ? entry : this.form(key as CountedKey, n ?? 0);
    const all: Values = n === undefined ? values : { n: this.count(n), ...values };
    const parts = text.split(/(`[^`]*`|\{\w+\})/).filter(Boolean);
    return parts.map((part): Piece => {
      if (part.startsWith('`')) return { kind: 'marked', text: filled(part.slice(1, -1), all) };
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return { kind: 'text', text: part };
      return Object.hasOwn(all, name) ? { kind: 'text', text: all[name]! } : { kind: 'place', text: name };
    });
  }

  private form(key: CountedKey, n: number): string {
    const forms: Record<string, string> = this.wording[key] ?? {};
    return forms[this.plurals.select(n)] ?? forms.other ?? '';
  }

  /** A number, with narrow blanks between thousands: a point or comma there is another language's decimal sign. */
  count(n: number): string {
    const text = this.numbers.format(n);
    return this.separator ? text.replaceAll(this.separator, '\u202f') : text;
  }

  /** A number with one digit behind the decimal sign. */
  tenth(n: number): string {
    return this.tenths.format(n);
  }

  /** A score with two digits. */
  score(value: number): string {
    return Number.isFinite(value) ? this.scores.format(value) : '–';
  }

  /** Whole percent; 0 and 100 only if it is exactly that. */
  percent(fraction: number): string {
    if (!Number.isFinite(fraction)) return '–';
    if (fraction > 0 && fraction < 0.01) return this.say('percent', { n: '<1' });
    const rounded = Math.round(fraction * 100);
    return this.say('percent', { n: this.count(rounded === 100 && fraction < 1 ? 99 : rounded) });
  }

  /** A time; in UTC unless a zone is given, since a report must read the same everywhere. */
  time(time: number, style: keyof typeof STYLES = 'moment', zone: 'UTC' | 'local' = 'UTC'): string {
    const key = `${style} ${zone}`;
    let format = this.dates.get(key);
    if (!format) {
      const options = zone === 'UTC' ? { ...STYLES[style], timeZone: zone } : STYLES[style];
      format = new Intl.DateTimeFormat(this.wording.locale, options);
      this.dates.set(key, format);
    }
    return format.format(time);
  }

  /** `2 h 15 min`; its parts stay on one line. */
  duration(milliseconds: number): string {
    const minutes = Math.round(Math.abs(milliseconds) / 60_000);
    if (minutes < 60) return this.say('minutes', { n: this.count(minutes) });
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) return this.counted('days', Math.round(hours / 24));
    const values = { n: this.count(hours), minutes: this.count(minutes % 60) };
    return this.say(minutes % 60 ? 'hours-minutes' : 'hours', values);
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
