// The place of the service on its host: at the root, or below a prefix that other pages do not have. The page's own paths,
// such as `/users`, know no prefix; links, requests and the address bar have it.
import { server } from '../data/server.ts';

/** The path that the browser asks for, of one of the page's own. */
export const outer = (path: string): string => server.prefix + path;

/** The page's own path, of one that the browser has. */
export function inner(path: string): string {
  if (path === server.prefix) return '/';
  return path.startsWith(`${server.prefix}/`) ? path.slice(server.prefix.length) : path;
}
