import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The project's folder; the tests run compiled, below `dist`. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** A fenced block of a page. */
export interface DocBlock {
  page: string;
  language: string;
  /** What follows the language: the name of the file that the block shows. */
  file: string;
  text: string;
  /** Page and first line, by which a person finds it. */
  name: string;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): DocBlock[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map((found) => {
    const [, language = '', file = '', content = ''] = found;
    return { page, language, file, text: content, name: `${page}: ${content.split('\n')[0]}` };
  });
}
