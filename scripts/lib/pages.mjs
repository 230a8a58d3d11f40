import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LINKS = join(import.meta.dirname, '../../web/src/layout/links.ts');

/** The addresses of the pages in the dashboard's navigation, in order. */
export const NAVIGATION = [...readFileSync(LINKS, 'utf8').matchAll(/\bto: '([^']+)'/g)].map(
  ([, path]) => path,
);
