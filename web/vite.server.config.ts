// Builds the service's page: one HTML file with script and style inside, and the policy that allows just these two.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { filled, oneFile, type Parts } from './onefile.ts';

const policy = ({ hashes }: Parts) =>
  [
    "default-src 'none'",
    `script-src ${hashes.script}`,
    `style-src ${hashes.style}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export default defineConfig({
  plugins: [
    svelte({ compilerOptions: { css: 'external', modernAst: true } }),
    oneFile('src/server/template.html', (parts) => ({
      'index.html': filled(parts),
      'csp.txt': policy(parts),
    })),
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
