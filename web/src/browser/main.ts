// Starts the page that compares in the browser.
import { mount } from 'svelte';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import '../styles/print.css';
import '../server/server.css';
import { language } from '../state/language.svelte.ts';
import { theme } from '../state/theme.svelte.ts';
import { WORDINGS } from '../words/browser.ts';
import App from './App.svelte';

theme.apply();
language.start(WORDINGS);
const target = document.getElementById('app');
if (target) mount(App, { target });
