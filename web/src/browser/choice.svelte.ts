// What a person has chosen, kept while the report is looked at.
import type { Picked } from '../server/picked.ts';
import { formOf } from '../server/settings.ts';

export class Choice {
  submissions = $state.raw<readonly Picked[]>([]);
  base = $state.raw<readonly Picked[]>([]);
  archive = $state.raw<readonly Picked[]>([]);
  title = $state('');
  form = $state(formOf({}, false));
}
