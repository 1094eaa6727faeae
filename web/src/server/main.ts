// Starts the service's page.
import { mount } from 'svelte';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import './server.css';
import { theme } from '../state/theme.svelte.ts';
import App from './App.svelte';
import { keepFocus } from './focus.ts';

theme.apply();
const target = document.getElementById('app');
if (target) {
  keepFocus(target);
  mount(App, { target });
}
