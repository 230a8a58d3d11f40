import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const COMPRESSIBLE = /\.(js|css|html|svg)$/;

/** Writes a `.gz` and a `.br` next to every text file, so that the API compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const folder = join(import.meta.dirname, 'dist');
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.test(name)) continue;
        const file = join(folder, name);
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(bytes));
      }
    },
  };
}

/** Adds the licence of the font to the files that contain it, as the licence demands. */
function fontLicence(): Plugin {
  const source = join(import.meta.dirname, 'node_modules/@fontsource-variable/inter/LICENSE');
  return {
    name: 'font-licence',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'inter-licence.txt', source: readFileSync(source) });
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), fontLicence(), precompress()],
  resolve: { alias: { '#client': join(import.meta.dirname, '../clients/typescript/src') } },
  build: {
    // The content security policy allows no inline or data: scripts, styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The first page loads few files, because on a slow connection each file adds a delay.
          groups: [
            { name: 'react', tags: ['$initial'], test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'dashboard', tags: ['$initial'] },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
  // Tests of components render whole forms.
  test: { testTimeout: 20_000 },
});
