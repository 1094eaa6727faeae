// What stands at the head of all evidence: release, date and the settings that it rests on.
import type { Overview } from '../data/model.ts';
import { languageName, score } from './format.ts';

export type Facts = [name: string, value: string][];

/** The facts of a report; `made` is when the evidence was saved or printed, which the report does not know. */
export function factsOf(
  { settings, promises, title, tool }: Pick<Overview, 'promises' | 'settings' | 'title' | 'tool'>,
  made: Date,
): Facts {
  const date = `${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [
    ...(title ? ([['Report', title]] as Facts) : []),
    ['Made with', tool],
    ['Saved on', date],
    ...promises.map(({ kind, shorter_than, text }): [string, string] => [
      `Guarantee (${languageName(kind)}${shorter_than ? ', with a short program' : ''})`,
      text,
    ]),
    ['Minimum score listed', score(settings.min_score)],
    ['Clusters from', score(settings.cluster_threshold)],
    [
      'Treated as boilerplate',
      settings.max_docs === null ? 'what was given as such' : `in more than ${settings.max_docs} submissions`,
    ],
    ['Quotations', settings.quotes ? 'set apart, not counted' : 'counted'],
    ['Read as', settings.language === null ? 'the language of each file' : languageName(settings.language)],
  ];
}
