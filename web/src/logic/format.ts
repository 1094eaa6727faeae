// Numbers for people, in the language of the page.
import { pageWords, say } from './say.ts';

export const count = (value: number) => pageWords().count(value);
export const percent = (fraction: number) => pageWords().percent(fraction);
export const score = (fraction: number) => pageWords().score(fraction);

/** What readers call a language; most are called as the program calls them. */
export function languageName(language: string): string {
  if (language === 'words') return say('prose');
  return language === 'chars' ? say('prose-by-characters') : language;
}

/** Colours that passages and labels take turns in; they also carry a number or a shape. */
export const HUES = 8;
export const hue = (index: number) => index % HUES;
