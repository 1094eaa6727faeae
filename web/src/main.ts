// Starts the page.
import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/print.css';
import { fetched } from './data/fetched.ts';
import { Files } from './data/load.ts';
import { scripts } from './data/scripts.ts';
import { server } from './data/server.ts';
import { BrowserMarks } from './state/browsermarks.ts';
import type { MarkStores } from './state/markstore.ts';
import { NoMarks } from './state/nomarks.ts';
import { ServerMarks } from './state/servermarks.svelte.ts';
import { language } from './state/language.svelte.ts';
import { theme } from './state/theme.svelte.ts';
import Shell from './ui/Shell.svelte';
import { WORDINGS } from './words/report.ts';

theme.apply();
language.start(WORDINGS);
const target = document.getElementById('app');
const loader = new Files(server.data ? fetched : scripts());
const marks: MarkStores = (overview) => {
  if (server.marks) return new ServerMarks();
  return server.mayMark ? new BrowserMarks(overview) : new NoMarks();
};
if (target) mount(Shell, { target, props: { loader, marks } });
