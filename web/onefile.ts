// Builds a page that is one HTML file, with script and style inside, and the policy that allows just these two.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page's parts, which stand between the tags of the template. */
export interface Parts {
  template: string;
  script: string;
  style: string;
  /** The sources that a policy may name for them. */
  hashes: { script: string; style: string };
}

/** Puts script and style into the template's empty elements; `files` gives the files of the page by their names. */
export function oneFile(template: string, files: (parts: Parts) => Record<string, string>): Plugin {
  return {
    name: 'fanmill-one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code;
        else if (name.endsWith('.css')) style += String(file.source);
        else throw new Error(`${name} cannot go into the page`);
        delete bundle[name];
      }
      // What would end the element early; the same text to the script.
      script = script.trim().replace(/<(?=\/script|!--)/gi, '\\x3c');
      style = style.trim();
      if (/<\/style/i.test(style)) throw new Error('the style sheet ends its own element');
      const hashes = { script: sha256(script), style: sha256(style) };
      const made = files({ template: readFileSync(template, 'utf8'), script, style, hashes });
      for (const [fileName, source] of Object.entries(made))
        this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** The template with its script and style. */
export const filled = ({ template, script, style }: Parts): string =>
  template
    .replace(/<style>[^<]*<\/style>/, () => `<style>${style}</style>`)
    .replace(/<script>[^<]*<\/script>/, () => `<script>${script}</script>`);
