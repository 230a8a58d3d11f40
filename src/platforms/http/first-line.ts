import { MAX_NAME_LENGTH, visibleText } from './response-parsing.js';

const TITLE_LENGTH = 100;

/** The first line of a text, or its first words, as the title of a post that has none; "" for an empty text. */
export function titleOf(text: string): string {
  const [line = ''] = text.trimStart().split('\n', 1);
  if (line.length <= TITLE_LENGTH) return visibleText(line, MAX_NAME_LENGTH);
  const cut = line.slice(0, TITLE_LENGTH);
  const end = cut.lastIndexOf(' ');
  return visibleText(`${end > TITLE_LENGTH / 2 ? cut.slice(0, end) : cut}…`, MAX_NAME_LENGTH);
}
