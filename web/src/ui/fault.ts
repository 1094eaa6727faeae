// Words for errors while a part of the report is got.
import { MissingData, type Fault } from '../data/load.ts';
import { say } from '../logic/say.ts';
import type { Key } from '../logic/wording.ts';

const FAULTS: Record<Fault, Key> = {
  damaged: 'fault-damaged',
  missing: 'fault-missing',
  refused: 'fault-refused',
  unreachable: 'fault-unreachable',
};

/** Returns what is wrong with a part of the report, without an end; null of any other error. */
export const faultIn = (error: unknown): string | null =>
  error instanceof MissingData ? say(FAULTS[error.fault], { file: error.file }) : null;
