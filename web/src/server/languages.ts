// The languages that the service reads.
import { once } from './api.ts';

/** Their names, as the service lists them. A session that has ended asks for no password here: they are suggestions. */
export const languages = async (): Promise<string[]> =>
  (await once<{ name: string }[]>('GET', '/languages')).map(({ name }) => name);
