// Hand-in times as the list of submissions has them: whatever the school's system exports.

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

/** `2 h 15 min`, for people; its parts stay on one line. */
export function duration(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  if (minutes < 60) return `${minutes}\u00a0min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours}\u00a0h\u00a0${minutes % 60}\u00a0min` : `${hours}\u00a0h`;
  return `${Math.round(hours / 24)}\u00a0days`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2 Mar 2026, 21:14`, in UTC: a report must read the same everywhere. */
export function showTime(time: number, precise = true): string {
  const date = new Date(time);
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const two = (value: number) => String(value).padStart(2, '0');
  return precise ? `${day}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}` : day;
}
