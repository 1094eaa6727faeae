// Numbers for people.

export const count = (value: number) => value.toLocaleString('en').replaceAll(',', '\u202f');

/** Whole percent; 0 and 100 only if it is exactly that. */
export function percent(fraction: number): string {
  if (!Number.isFinite(fraction)) return '–';
  if (fraction > 0 && fraction < 0.01) return '<1\u202f%';
  const rounded = Math.round(fraction * 100);
  return `${rounded === 100 && fraction < 1 ? 99 : rounded}\u202f%`;
}

export const score = (fraction: number) => (Number.isFinite(fraction) ? fraction.toFixed(2) : '–');

/** `1 pair`, `2 pairs`. */
export const plural = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`;

const LANGUAGES = new Map([
  ['words', 'prose'],
  ['chars', 'prose by characters'],
]);
/** What readers call a language; most are called as the program calls them. */
export const languageName = (language: string) => LANGUAGES.get(language) ?? language;

/** Colours that passages and labels take turns in; they also carry a number or a shape. */
export const HUES = 8;
export const hue = (index: number) => index % HUES;
