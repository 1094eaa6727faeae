// The names of folders and files as learning platforms export them, taken apart into person and number.

export interface Person {
  name: string;
  /** The platform's number for the person or the submission. */
  id: string;
}

/** Moodle: `Ada Lindqvist_1011840_assignsubmission_file`, or `…_onlinetext_`. */
const MOODLE = /^(.+?)_(\d+)_assign(?:submission|feedback)_[a-z]+_?$/i;

/** Canvas: `lindqvistada_12345_678901_inventory.py`, with `_LATE` behind the name if it was late. */
const CANVAS = /^(\p{L}[^_]*)(?:_LATE)?_(\d{3,})_(\d{3,})_.+$/iu;

/** Who a submission is from by the name of its folder or file; null if no platform gave it this name. */
export function personOf(submission: string): Person | null {
  const last = submission.split('/').findLast((part) => part !== '') ?? '';
  const base = last.replace(/\.(?:zip|tar|tgz|tar\.gz|tar\.zst)$/i, '');
  const [, name, id] = MOODLE.exec(base) ?? CANVAS.exec(base) ?? [];
  return name === undefined || id === undefined ? null : { name: name.trim(), id };
}
