// The report as files for the reader's disk.
import { zipSync } from 'fflate';
import { download } from '../state/download.ts';
import type { Report } from './compare.ts';

/** Saves what the command would have written: a folder, in a zip. */
export function saveReport(report: Report): void {
  const files = Object.fromEntries([...report].map(([path, bytes]) => [`report/${path}`, bytes]));
  download('report.zip', 'application/zip', zipSync(files, { level: 6 }));
}

/** Saves the result as data. */
export function saveJson(report: Report): void {
  download('report.json', 'application/json', report.get('report.json') ?? '');
}
