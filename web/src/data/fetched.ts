// The same data files, fetched from a server: of each, the JSON that its call holds.
import { fileOf, MissingData, type Fault, type Get } from './load.ts';
import { ask, isRefusal } from './server.ts';

export const fetched: Get = async (name) => {
  const answer = await ask(fileOf(name));
  if (!answer.ok) throw new MissingData(fileOf(name), faultOf(answer));
  try {
    return within(name, await answer.text());
  } catch {
    throw new MissingData(fileOf(name), 'damaged');
  }
};

function faultOf(answer: Response): Fault {
  if (isRefusal(answer)) return 'refused';
  return answer.status === 404 || answer.status === 410 ? 'missing' : 'unreachable';
}

/** What `fanmill("name", …);` is given. */
function within(name: string, call: string): unknown {
  const [head, tail] = [`fanmill("${name}", `, ');'];
  const whole = call.trimEnd();
  if (!whole.startsWith(head) || !whole.endsWith(tail)) throw new SyntaxError(name);
  return JSON.parse(whole.slice(head.length, -tail.length));
}
