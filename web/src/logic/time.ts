// Hand-in times as the list of submissions has them: whatever the school's system exports.
import { pageWords } from './say.ts';

/** Milliseconds since 1970, or null if it is not a time. A time without a zone is taken as UTC. */
export function parseTime(text: string | null): number | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (!/^\d{4}-\d{2}-\d{2}/.test(trimmed)) return null;
  const iso = trimmed.replace(' ', 'T');
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(iso) ? iso : iso.length === 10 ? iso : `${iso}Z`;
  const time = Date.parse(zoned);
  return Number.isFinite(time) ? time : null;
}

export type Order = 'a-first' | 'b-first' | 'together' | 'unknown';

/** Who of two handed in first. Archived work is from an earlier time, whatever its date. */
export function orderOf(
  a: { role: string; submitted: string | null },
  b: { role: string; submitted: string | null },
): Order {
  if (a.role === 'archive' && b.role !== 'archive') return 'a-first';
  if (b.role === 'archive' && a.role !== 'archive') return 'b-first';
  const [x, y] = [parseTime(a.submitted), parseTime(b.submitted)];
  if (x === null || y === null) return 'unknown';
  return x === y ? 'together' : x < y ? 'a-first' : 'b-first';
}

/** `2 h 15 min`, in the language of the page. */
export const duration = (milliseconds: number) => pageWords().duration(milliseconds);

/** `2 Mar 2026, 21:14`, in UTC: a report must read the same everywhere. */
export const showTime = (time: number, precise = true) => pageWords().time(time, precise ? 'moment' : 'day');
