// Whether the page is being printed: then rows out of view are drawn too.
import { flushSync } from 'svelte';

class Printing {
  on = $state(false);

  constructor() {
    window.addEventListener('beforeprint', () => flushSync(() => (this.on = true)));
    window.addEventListener('afterprint', () => (this.on = false));
  }
}

export const printing = new Printing();
