// Starts the page.
import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { Scripts } from './data/scripts.ts';
import { theme } from './state/theme.svelte.ts';
import Shell from './ui/Shell.svelte';

theme.apply();
const target = document.getElementById('app');
if (target) mount(Shell, { target, props: { loader: new Scripts() } });
