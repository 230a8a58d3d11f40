import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Fails when the scripts and styles of the first page, Home, exceed the limit. Sizes are those of the gzip files.
const LIMIT_BYTES = 170_000;
const FIRST_PAGES = ['index.html'];

const dist = join(import.meta.dirname, 'dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const files = new Set();
const add = (name) => {
  const { file, css = [], imports = [] } = manifest[name];
  if (files.has(file)) return;
  for (const one of [file, ...css]) files.add(one);
  imports.forEach(add);
};
FIRST_PAGES.forEach(add);

const total = [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0);
console.log(
  `First load: ${(total / 1000).toFixed(1)} kB of script and style, gzip; limit ${LIMIT_BYTES / 1000} kB`,
);
if (total > LIMIT_BYTES) process.exit(1);
