// The page's language: the reader's choice, else what the report or the service sets, else what the browser asks for.
import { server } from '../data/server.ts';
import { speak } from '../logic/say.ts';
import { preferred, Words, type Wording } from '../logic/wording.ts';
import { keep, kept } from './store.ts';

class LanguageState {
  private chosen = $state(kept('language'));
  /** The language that the report sets. */
  private ofReport = $state<string | null>(null);
  private known = $state.raw<readonly Words[]>([]);

  /** The languages that there are words for, by their tags. */
  get tags(): string[] {
    return this.known.map(({ language }) => language);
  }

  tag = $derived.by(() => {
    const wanted = [this.chosen, this.ofReport, server.language, ...navigator.languages];
    return preferred(
      wanted.filter((tag) => tag !== null),
      this.tags,
    );
  });
  words = $derived(this.in(this.tag));

  /** The words of one of the languages. */
  in(tag: string): Words {
    return this.known.find(({ language }) => language === tag)!;
  }

  /** Starts with the wordings of a page, by their tags. */
  start(wordings: ReadonlyMap<string, Wording>): void {
    this.known = [...wordings].map(([tag, wording]) => new Words(tag, wording));
    speak(() => this.words);
    this.apply();
  }

  /** Takes the language that a report sets, if it sets one. */
  follow(tag: string | undefined): void {
    this.ofReport = tag ?? null;
    this.apply();
  }

  choose(tag: string): void {
    this.chosen = tag;
    keep('language', tag);
    this.apply();
  }

  /** The language that comes after this one; the first after the last. */
  get next(): string {
    const { tags } = this;
    return tags[(tags.indexOf(this.tag) + 1) % tags.length]!;
  }

  private apply(): void {
    document.documentElement.lang = this.tag;
  }
}

export const language = new LanguageState();
