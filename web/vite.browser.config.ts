// Builds the page that compares in a browser: one HTML file with script, style and the WebAssembly module inside, which may
// not ask any network for anything. `packaging/browser` builds the module first.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { filled, oneFile, type Parts } from './onefile.ts';

const folder = process.env.FANMILL_BROWSER ?? '../target/page';

const policy = ({ hashes }: Parts) =>
  [
    "default-src 'none'",
    // The second: to compile the module, and no text.
    `script-src ${hashes.script} 'wasm-unsafe-eval'`,
    `style-src ${hashes.style}`,
    'worker-src blob:',
    'img-src data:',
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');

/** Keeps the styles of the form away from the report, which is shown in its place. */
const formOnly: Plugin = {
  name: 'fanmill-form-only',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/server/server.css') ? `:where(body:not(.report)) {\n${code}\n}` : null,
};

/** The module, packed, in characters that an HTML file may have. */
function module(): string {
  const path = join(folder, 'fanmill.wasm');
  if (!existsSync(path)) throw new Error(`there is no ${path}; build it with packaging/browser`);
  return gzipSync(readFileSync(path), { level: 9 }).toString('base64');
}

export default defineConfig({
  plugins: [
    formOnly,
    svelte({ compilerOptions: { css: 'external', modernAst: true } }),
    oneFile('src/browser/template.html', (parts) => {
      const template = parts.template
        .replace('content=""', () => `content="${policy(parts)}"`)
        .replace('type="application/gzip">', (start) => start + module());
      return { 'fanmill.html': filled({ ...parts, template }) };
    }),
  ],
  publicDir: false,
  worker: { format: 'iife' },
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: 'src/browser/main.ts',
      output: { format: 'iife', entryFileNames: 'browser.js', assetFileNames: 'browser.[ext]' },
    },
  },
});
