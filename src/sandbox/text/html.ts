import { escapeEntities } from '../wire/things.js';

/** The HTML of a text: its paragraphs, with escaped characters. */
export function htmlOf(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${escapeEntities(paragraph)}</p>`)
    .join('\n');
}
