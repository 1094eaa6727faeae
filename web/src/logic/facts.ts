// What stands at the head of all evidence: release, date and the settings that it rests on.
import type { Overview } from '../data/model.ts';
import { languageName, score } from './format.ts';
import { promiseText } from './promise.ts';
import { counted, say } from './say.ts';

export type Facts = [name: string, value: string][];

/** The facts of a report; `made` is when the evidence was saved or printed, which the report does not know. */
export function factsOf(
  { settings, promises, title, tool }: Pick<Overview, 'promises' | 'settings' | 'title' | 'tool'>,
  made: Date,
): Facts {
  const date = `${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [
    ...(title ? ([[say('fact-report'), title]] as Facts) : []),
    [say('made-with'), tool],
    [say('fact-saved-on'), date],
    ...promises.map((promise): [string, string] => [
      say(promise.shorter_than ? 'fact-guarantee-short' : 'fact-guarantee', {
        kind: languageName(promise.kind),
      }),
      promiseText(promise, promises),
    ]),
    [say('min-score'), score(settings.min_score)],
    [say('fact-clusters-from'), score(settings.cluster_threshold)],
    [
      say('boilerplate'),
      settings.max_docs === null ? say('boilerplate-given') : counted('in-more-than', settings.max_docs),
    ],
    [say('quotations'), say(settings.quotes ? 'quotations-apart' : 'quotations-counted')],
    [
      say('fact-read-as'),
      settings.language === null ? say('language-of-each') : languageName(settings.language),
    ],
  ];
}
