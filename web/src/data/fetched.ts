// The same data files, fetched from a server: of each, the JSON that its call holds.
import { fileOf, MissingData, within, type Fault, type Get } from './load.ts';
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
