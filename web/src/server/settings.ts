// The settings of a comparison as a form has them, and as the service takes them.
import { say } from '../logic/say.ts';
import type { Key } from '../logic/wording.ts';
import type { GroupBy, Settings } from './model.ts';
import { GROUPS } from './words.ts';

/** Every field as text or a tick; empty text means the program's own choice. */
export interface Form {
  lang: string;
  noise: string;
  guarantee: string;
  max_docs: string;
  group_by: GroupBy;
  quotes: boolean;
  use_archive: boolean;
  anonymous: boolean;
}

export const formOf = (settings: Settings, archive: boolean): Form => ({
  lang: settings.lang ?? '',
  noise: settings.noise?.toString() ?? '',
  guarantee: settings.guarantee?.toString() ?? '',
  max_docs: settings.max_docs?.toString() ?? '',
  group_by: settings.group_by ?? 'auto',
  quotes: settings.quotes ?? false,
  use_archive: settings.use_archive ?? archive,
  anonymous: settings.anonymous ?? false,
});

/**
 * Only what was chosen, so that the rest follows the program's defaults. Without an archive nobody has chosen to do without
 * it, so a batch that is run again later is compared with one that is there by then.
 */
export function settingsOf(form: Form, archive: boolean): Settings {
  const settings: Settings = { group_by: form.group_by, quotes: form.quotes, anonymous: form.anonymous };
  if (archive) settings.use_archive = form.use_archive;
  if (form.lang.trim()) settings.lang = form.lang.trim();
  if (form.noise) settings.noise = Number(form.noise);
  if (form.guarantee) settings.guarantee = Number(form.guarantee);
  const most = form.max_docs.replaceAll(/\s/g, '');
  if (most) settings.max_docs = /^\d+$/.test(most) ? Number(most) : most;
  return settings;
}

/** How many settings differ from the defaults. */
export const changed = (form: Form, archive: boolean): number => {
  const usual = formOf({}, archive);
  return (Object.keys(usual) as (keyof Form)[]).filter((key) => String(form[key]) !== String(usual[key]))
    .length;
};

const LABELS: Record<keyof Form, Key> = {
  lang: 'changed-lang',
  noise: 'changed-noise',
  guarantee: 'changed-guarantee',
  max_docs: 'changed-most',
  group_by: 'changed-group',
  quotes: 'changed-quotes',
  use_archive: 'changed-archive',
  anonymous: 'changed-anonymous',
};

/** Settings that differ between two forms: `language: c instead of detected`. */
export function differences(before: Form, now: Form): string[] {
  const shown = (value: string | boolean) =>
    typeof value === 'boolean' ? say(value ? 'yes' : 'no') : value.trim() === '' ? say('the-usual') : value;
  return (Object.keys(LABELS) as (keyof Form)[])
    .filter((key) => String(before[key]) !== String(now[key]))
    .map((key) => {
      const [old, one] =
        key === 'group_by'
          ? [say(GROUPS[before.group_by]), say(GROUPS[now.group_by])]
          : [before[key], now[key]];
      return say('setting-change', { setting: say(LABELS[key]), now: shown(one), before: shown(old) });
    });
}
