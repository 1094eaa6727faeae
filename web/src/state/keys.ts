// Keys that work anywhere in a view, as long as nobody is typing.
import type { MarkName } from '../logic/review.ts';

/** The key of a press that is meant for the view: not in a field, and without Ctrl, Alt or Meta. */
export function keyOf(event: KeyboardEvent): string | null {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  const typing = target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
  return typing || ctrlKey || metaKey || altKey || defaultPrevented ? null : event.key;
}

/** What a key marks a pair as. */
export const MARK_KEYS: Readonly<Record<string, MarkName | ''>> = {
  c: 'copied',
  u: 'unsure',
  i: 'innocent',
  x: '',
};
