// Starts the service's page.
import { mount } from 'svelte';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import './server.css';
import { language } from '../state/language.svelte.ts';
import { theme } from '../state/theme.svelte.ts';
import { WORDINGS } from '../words/service.ts';
import App from './App.svelte';
import { keepFocus } from './focus.ts';

theme.apply();
language.start(WORDINGS);
const target = document.getElementById('app');
if (target) {
  keepFocus(target);
  mount(App, { target });
}
