// Light or dark: follows the system until the reader chooses.
import { keep, kept } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

class ThemeState {
  chosen = $state<Theme>(asTheme(kept('theme')));

  apply(): void {
    if (this.chosen === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.chosen;
  }

  next(): void {
    const dark =
      this.chosen === 'dark' ||
      (this.chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    this.chosen = dark ? 'light' : 'dark';
    keep('theme', this.chosen);
    this.apply();
  }
}

function asTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

export const theme = new ThemeState();
