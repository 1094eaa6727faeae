// The search box of the pairs table: words that must occur, and conditions such as `in:>50` or
// `moved:yes`. Anything else is searched for as a word; nothing is an error.

export interface Facts {
  /** Everything that may be searched as text, in lower case. */
  text: string;
  score: number;
  containmentA: number;
  containmentB: number;
  longest: number;
  matched: number;
  passages: number;
  moved: boolean;
  archive: boolean;
  labels: string[];
  mark: string;
  note: string;
}

export type Query = ((facts: Facts) => boolean)[];

const NUMBERS: Record<string, (facts: Facts) => number> = {
  score: (facts) => facts.score,
  in: (facts) => 100 * Math.max(facts.containmentA, facts.containmentB),
  longest: (facts) => facts.longest,
  matched: (facts) => facts.matched,
  passages: (facts) => facts.passages,
};

const TEXTS: Record<string, (facts: Facts, value: string) => boolean> = {
  label: (facts, value) => facts.labels.some((label) => label.toLowerCase().includes(value)),
  mark: (facts, value) => facts.mark.startsWith(value),
  note: (facts, value) => (value === '' ? facts.note !== '' : facts.note.toLowerCase().includes(value)),
  moved: (facts, value) => facts.moved === isYes(value),
  archive: (facts, value) => facts.archive === isYes(value),
};

const isYes = (value: string) => value !== 'no' && value !== 'false' && value !== '0';

export function parseQuery(text: string): Query {
  const parts = text.toLowerCase().match(/[a-z]+:"[^"]*"|"[^"]*"|\S+/g) ?? [];
  return parts.map(condition);
}

function condition(part: string): (facts: Facts) => boolean {
  const [, field = '', raw = ''] = /^([a-z]+):(.*)$/.exec(part) ?? [];
  const value = raw.replaceAll('"', '');
  if (Object.hasOwn(NUMBERS, field)) {
    const [, sign, digits] = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?)%?$/.exec(value) ?? [];
    if (digits !== undefined) {
      const of = NUMBERS[field]!;
      const bound = Number(digits);
      return (facts) => holds(of(facts), sign ?? '>=', bound);
    }
  }
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
