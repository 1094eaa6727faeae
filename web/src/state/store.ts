// The browser's storage, which may be full, forbidden or absent: then things are kept until the
// page is closed.

const memory = new Map<string, string>();

/** Whether the last attempt to keep something worked. */
export let lasting = true;

export function keep(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(`fanmill:${key}`, value);
    lasting = true;
  } catch {
    lasting = false;
  }
}

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(`fanmill:${key}`) ?? memory.get(key) ?? null;
  } catch {
    lasting = false;
    return memory.get(key) ?? null;
  }
}

/** The keys of what is kept that begin so. */
export function keptUnder(prefix: string): string[] {
  const keys = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i);
      if (key?.startsWith('fanmill:')) keys.add(key.slice('fanmill:'.length));
    }
  } catch {
    lasting = false;
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}
