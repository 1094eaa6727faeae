// The focus stays in the page: if what had it goes away, the nearest heading or box that remains gets it.

export function keepFocus(root: HTMLElement): void {
  let chain: HTMLElement[] = [];
  root.addEventListener('focusin', (event) => {
    chain = [];
    for (let at = event.target as HTMLElement | null; at && at !== root; at = at.parentElement)
      chain.push(at);
  });
  const mend = () => {
    const [last] = chain;
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const left = chain.find((element) => element.isConnected) ?? root;
    const target =
      left.closest<HTMLElement>('section, dialog, main')?.querySelector<HTMLElement>('h1, h2, h3') ??
      root.querySelector<HTMLElement>('h1');
    if (!target) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
  // After the components have settled, some of which move the focus themselves.
  new MutationObserver(() => setTimeout(mend)).observe(root, { childList: true, subtree: true });
}
