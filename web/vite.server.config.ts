// Builds the service's page: one HTML file with script and style inside, and the policy that allows just these two.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Puts script and style into the template's empty elements, and writes the hashes that a browser checks them by. */
function oneFile(template: string): Plugin {
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
      const page = readFileSync(template, 'utf8')
        .replace(/<style>[^<]*<\/style>/, () => `<style>${style}</style>`)
        .replace(/<script>[^<]*<\/script>/, () => `<script>${script}</script>`);
      const policy = [
        "default-src 'none'",
        `script-src ${sha256(script)}`,
        `style-src ${sha256(style)}`,
        "connect-src 'self'",
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; ');
      this.emitFile({ type: 'asset', fileName: 'index.html', source: page });
      this.emitFile({ type: 'asset', fileName: 'csp.txt', source: policy });
    },
  };
}

export default defineConfig({
  plugins: [
    svelte({ compilerOptions: { css: 'external', modernAst: true } }),
    oneFile('src/server/template.html'),
  ],
  publicDir: false,
  build: {
    outDir: '../crates/fanmill-server/src/app',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: 'src/server/main.ts',
      output: { format: 'iife', entryFileNames: 'server.js', assetFileNames: 'server.[ext]' },
    },
  },
});
