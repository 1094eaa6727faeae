// Outcomes of reading an input, in words.
import type { Notice } from '../data/model.ts';
import type { Key } from './wording.ts';

export const OUTCOMES: Record<Notice['outcome'], Key> = {
  flagged: 'outcome-flagged',
  failed: 'outcome-failed',
  skipped: 'outcome-skipped',
  degraded: 'outcome-degraded',
};
