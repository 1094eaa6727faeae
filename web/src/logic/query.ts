// The search box of a table: words that must occur, and conditions such as `in:>50` or `moved:yes`. Anything else
// is searched for as a word; nothing is an error.

export interface Facts {
  /** Everything that may be searched as text, in lower case. */
  text: string;
  /** What may be compared with a number, and what is so or not, by the names that conditions use. */
  numbers: Readonly<Record<string, number>>;
  flags: Readonly<Record<string, boolean>>;
  labels: string[];
  mark: string;
  note: string;
}

export type Query = ((facts: Facts) => boolean)[];

/** The names of numbers and flags; a row that lacks one does not meet the condition. */
const NUMBERS: ReadonlySet<string> = new Set(['score', 'in', 'longest', 'matched', 'passages', 'pairs']);
const FLAGS: ReadonlySet<string> = new Set(['moved', 'archive', 'within', 'across', 'differs']);

const TEXTS: Record<string, (facts: Facts, value: string) => boolean> = {
  label: (facts, value) => facts.labels.some((label) => label.toLowerCase().includes(value)),
  mark: (facts, value) => (value === 'none' ? facts.mark === '' : facts.mark.startsWith(value)),
  note: (facts, value) => (value === '' ? facts.note !== '' : facts.note.toLowerCase().includes(value)),
};

const isYes = (value: string) => value !== 'no' && value !== 'false' && value !== '0';

export function parseQuery(text: string): Query {
  const parts = text.toLowerCase().match(/[a-z]+:"[^"]*"|"[^"]*"|\S+/g) ?? [];
  return parts.map(condition);
}

function condition(part: string): (facts: Facts) => boolean {
  const [, field = '', raw = ''] = /^([a-z]+):(.*)$/.exec(part) ?? [];
  const value = raw.replaceAll('"', '');
  if (NUMBERS.has(field)) {
    const [, sign, digits] = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?)%?$/.exec(value) ?? [];
    if (digits !== undefined) {
      const bound = Number(digits);
      return ({ numbers }) => holds(numbers[field] ?? NaN, sign ?? '>=', bound);
    }
  }
  if (FLAGS.has(field)) return ({ flags }) => flags[field] === isYes(value);
  if (Object.hasOwn(TEXTS, field)) return (facts) => TEXTS[field]!(facts, value);
  const word = part.replaceAll('"', '');
  return (facts) => facts.text.includes(word);
}

function holds(value: number, sign: string, bound: number): boolean {
  if (sign === '>') return value > bound;
  if (sign === '<') return value < bound;
  if (sign === '<=') return value <= bound;
  if (sign === '=') return Math.abs(value - bound) < 0.005;
  return value >= bound;
}

export const matchesQuery = (query: Query, facts: Facts) => query.every((holds) => holds(facts));
