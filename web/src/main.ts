// Starts the page.
import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { listen } from './data/load.ts';
import { theme } from './state/theme.svelte.ts';
import Shell from './ui/Shell.svelte';

listen();
theme.apply();
const target = document.getElementById('app');
if (target) mount(Shell, { target });
