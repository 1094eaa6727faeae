// Sizes, times, states and steps for people.
import { count, plural, score } from '../logic/format.ts';
import type { BatchRow, Course, CourseRole, Errand, Extent, GroupBy, Role, State, Summary } from './model.ts';

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

/** The day on which a batch is deleted: `29 Aug 2026`. */
export function deletedOn(
  { created }: Pick<BatchRow, 'created'>,
  { kept_days }: Pick<Course, 'kept_days'>,
): string {
  const day = new Date(created);
  day.setUTCDate(day.getUTCDate() + kept_days);
  return Number.isNaN(day.getTime()) ? '–' : when(day.toISOString(), false);
}

export const STATES: Record<State, string> = {
  collecting: 'Collecting',
  queued: 'Waiting',
  running: 'Running',
  proposed: 'Waits for you',
  done: 'Finished',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
/** A batch's state; of a finished one, also whether it was compared. */
export function stateOf({ state, summary }: Pick<BatchRow, 'state' | 'summary'>): string {
  if (state !== 'done' || !summary || summary.compared === 'whole') return STATES[state];
  return summary.compared === 'nothing' ? 'Nothing compared' : 'Compared in part';
}
/** `302 submissions, 40 pairs listed, 3 stand out`. */
export function foundIn({ state, summary }: { state: State; summary: Summary }): string {
  const { n_submissions, n_pairs, n_standing_out, best } = summary;
  if (state !== 'done') return plural(n_submissions, 'submission');
  const parts = [plural(n_submissions, 'submission'), `${plural(n_pairs, 'pair')} listed`];
  if (n_standing_out !== null)
    parts.push(`${count(n_standing_out)} stand${n_standing_out === 1 ? 's' : ''} out`);
  if (best !== null) parts.push(`best score ${score(best)}`);
  return parts.join(', ');
}
/** `12 files were left out, and 3 could not be read`; empty if everything was read. */
export function lostIn({ n_left_out, n_unread }: Summary): string {
  const were = (n: number) => `${plural(n, 'file')} ${n === 1 ? 'was' : 'were'}`;
  const parts = [];
  if (n_left_out) parts.push(`${were(n_left_out)} left out`);
  if (n_unread)
    parts.push(
      n_left_out ? `${count(n_unread)} could not be read` : `${plural(n_unread, 'file')} could not be read`,
    );
  return parts.join(', and ');
}
export const OUTCOMES: Record<Extent, string> = {
  degraded: 'read in part',
  skipped: 'left out',
  failed: 'not read',
  flagged: 'worth a look',
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
