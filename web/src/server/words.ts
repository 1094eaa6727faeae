// Sizes, times, states and steps for people.
import { count } from '../logic/format.ts';
import type { CourseRole, Errand, GroupBy, Role, State } from './model.ts';

/** `1.2 MB`, in powers of ten as file managers show them. */
export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let value = bytes;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const shown = unit === 0 || value >= 10 ? count(Math.round(value)) : value.toFixed(1);
  return unit === 0 && bytes === 1 ? '1\u00a0byte' : `${shown}\u00a0${units[unit]}`;
}

/** `23 Nov 2026, 12:41`, in the reader's own zone; as it came if it is no time. */
export function when(text: string | null, precise = true): string {
  if (text === null) return '–';
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  return time.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(precise ? { hour: '2-digit', minute: '2-digit' } : {}),
  });
}

export const STATES: Record<State, string> = {
  collecting: 'Collecting',
  queued: 'Waiting',
  running: 'Running',
  done: 'Finished',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
export const ROLES: Record<Role, string> = {
  administrator: 'Administrator',
  teacher: 'Teacher',
  reader: 'Reader',
};
export const COURSE_ROLES: Record<CourseRole, string> = {
  owner: 'Owner',
  teacher: 'Teacher',
  reader: 'Reader',
};
export const GROUPS: Record<GroupBy, string> = {
  auto: 'Decide from what I choose',
  person: 'Everything of one person',
  child: 'Each folder, file or archive at the top',
  file: 'Each single file',
  root: 'Each chosen folder or archive as a whole',
};

/** A step's name as a sentence begins: `reading files` becomes `Reading files`. */
export const stepName = (step: string) =>
  step === '' ? 'Working' : step.charAt(0).toUpperCase() + step.slice(1).replaceAll('_', ' ');

/** How far the errand is that runs or waits: `Searching uploads: 1.2 MB of 30 MB`; empty if there is none. */
export function progress(errands: Errand[]): string {
  const own =
    errands.find((errand) => errand.state === 'running') ??
    errands.find((errand) => errand.state === 'waiting');
  if (!own) return '';
  if (!own.progress) return own.state === 'waiting' ? 'Waiting for another search' : 'Working';
  const { step, done, total } = own.progress;
  return `${stepName(step)}: ${size(done)} of ${size(total)}`;
}
