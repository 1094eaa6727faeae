// The same data files in memory, where a page has made the report itself.
import { fileOf, MissingData, within, type Get } from './load.ts';

export const held =
  (files: ReadonlyMap<string, Uint8Array>): Get =>
  async (name) => {
    const bytes = files.get(fileOf(name));
    if (!bytes) throw new MissingData(fileOf(name), 'missing');
    try {
      return within(name, new TextDecoder().decode(bytes));
    } catch {
      throw new MissingData(fileOf(name), 'damaged');
    }
  };
