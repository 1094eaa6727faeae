// Builds the page's program: one classic script and one style sheet, into the crate that embeds them.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte({ compilerOptions: { css: 'external', modernAst: true } })],
  // Paths relative to the page: it is opened from disk.
  base: './',
  // Workers are part of the script too, as a Blob; a classic script like the page's own.
  worker: { format: 'iife' },
  build: {
    outDir: '../crates/fanmill-report/src/app',
    emptyOutDir: true,
    target: 'es2022',
    // A page from disk may not load modules, so nothing may be split off or preloaded.
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      input: 'src/main.ts',
      output: {
        format: 'iife',
        entryFileNames: 'app.js',
        assetFileNames: 'app.[ext]',
      },
    },
  },
});
