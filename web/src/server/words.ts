// Sizes, times, states and steps for people.
import { count, score } from '../logic/format.ts';
import { counted, pageWords, say } from '../logic/say.ts';
import type { Key } from '../logic/wording.ts';
import type { BatchRow, Course, CourseRole, Errand, Extent, GroupBy, Role, State, Summary } from './model.ts';

const UNITS: readonly Key[] = ['kilobytes', 'megabytes', 'gigabytes', 'terabytes'];

/** `1.2 MB`, in powers of ten as file managers show them. */
export function size(bytes: number): string {
  let unit = -1;
  let value = bytes;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  if (unit < 0) return counted('bytes', Math.round(value));
  return say(UNITS[unit]!, { n: value >= 10 ? count(Math.round(value)) : pageWords().tenth(value) });
}

/** `23 Nov 2026, 12:41`, in the reader's own zone; as it came if it is no time. */
export function when(text: string | null, precise = true): string {
  if (text === null) return '–';
  const time = Date.parse(text);
  if (Number.isNaN(time)) return text;
  return pageWords().time(time, precise ? 'moment' : 'day', 'local');
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

const STATES: Record<State, Key> = {
  collecting: 'state-collecting',
  queued: 'state-queued',
  running: 'state-running',
  proposed: 'state-proposed',
  done: 'state-done',
  failed: 'state-failed',
  cancelled: 'state-cancelled',
};
/** A batch's state; of a finished one, also whether it was compared. */
export function stateOf({ state, summary }: Pick<BatchRow, 'state' | 'summary'>): string {
  if (state !== 'done' || !summary || summary.compared === 'whole') return say(STATES[state]);
  return say(summary.compared === 'nothing' ? 'state-nothing' : 'state-part');
}
/** `302 submissions, 40 pairs listed, 3 stand out`. */
export function foundIn({ state, summary }: { state: State; summary: Summary }): string {
  const { n_submissions, n_pairs, n_standing_out, best } = summary;
  const submissions = counted('n-submissions', n_submissions);
  if (state !== 'done') return submissions;
  const parts = [submissions, counted('pairs-listed', n_pairs)];
  if (n_standing_out !== null) parts.push(counted('stand-out', n_standing_out));
  if (best !== null) parts.push(say('best-score-value', { score: score(best) }));
  return parts.join(', ');
}
/** `12 files were left out, and 3 could not be read`; empty if everything was read. */
export function lostIn({ n_left_out, n_unread }: Summary): string {
  const left = n_left_out ? counted('files-left-out', n_left_out) : '';
  if (!n_unread) return left;
  return left ? counted('files-lost', n_unread, { left }) : counted('files-unread', n_unread);
}
export const EXTENTS: Record<Extent, Key> = {
  degraded: 'extent-degraded',
  skipped: 'extent-skipped',
  failed: 'extent-failed',
  flagged: 'extent-flagged',
};
export const ROLES: Record<Role, Key> = {
  administrator: 'role-administrator',
  teacher: 'role-teacher',
  reader: 'role-reader',
};
export const COURSE_ROLES: Record<CourseRole, Key> = {
  owner: 'role-owner',
  teacher: 'role-teacher',
  reader: 'role-reader',
};
export const GROUPS: Record<GroupBy, Key> = {
  auto: 'group-auto',
  person: 'group-person',
  child: 'group-child',
  file: 'group-file',
  root: 'group-root',
};

/** The steps of the program that there are words for; others are shown as the program calls them. */
const STEPS = new Map<string, Key>([
  ['', 'step-working'],
  ['starting', 'step-starting'],
  ['reading', 'step-reading'],
  ['fingerprinting', 'step-fingerprinting'],
  ['finding pairs', 'step-finding-pairs'],
  ['finding rare runs', 'step-finding-rare-runs'],
  ['comparing', 'step-comparing'],
  ['scoring', 'step-scoring'],
  ['matching', 'step-matching'],
  ['writing', 'step-writing'],
  ['searching uploads', 'step-searching-uploads'],
  ['writing uploads anew', 'step-writing-uploads'],
  ['packing files', 'step-packing'],
  ['adding late submissions', 'step-late'],
  ['taking in files', 'step-taking'],
]);

/** A step's name as a sentence begins: `reading files` becomes `Reading files`. */
export function stepName(step: string): string {
  const plain = step.replaceAll('_', ' ');
  const key = STEPS.get(plain);
  return key ? say(key) : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** How far the errand is that runs or waits: `Searching uploads: 1.2 MB of 30 MB`; empty if there is none. */
export function progress(errands: Errand[]): string {
  const own =
    errands.find((errand) => errand.state === 'running') ??
    errands.find((errand) => errand.state === 'waiting');
  if (!own) return '';
  if (!own.progress) return say(own.state === 'waiting' ? 'step-waiting' : 'step-working');
  const { step, done, total } = own.progress;
  return say('step-of', { step: stepName(step), done: size(done), total: size(total) });
}
