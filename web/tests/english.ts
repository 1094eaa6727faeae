// Lets tests outside of a browser call what says something: in English.
import { speak } from '../src/logic/say.ts';
import { wordsOf } from './words.ts';

const words = wordsOf('en');
speak(() => words);
