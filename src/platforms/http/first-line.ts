import { beginningOf } from '../../common/strings.js';
import { MAX_NAME_LENGTH, visibleText } from './response-parsing.js';

const TITLE_LENGTH = 100;
/** The line that stands for a quoted text where a program does not show it. */
const QUOTE = /^RE:\s+https?:\/\/\S+\s+/;

/**
 * The first line of a text, or its first words, as the title of a post that has none; "" for an empty text. The address of
 * a quoted text before the writer's own words is no title.
 */
export function titleOf(text: string): string {
  const [line = ''] = text.trimStart().replace(QUOTE, '').split('\n', 1);
  if (line.length <= TITLE_LENGTH) return visibleText(line, MAX_NAME_LENGTH);
  const cut = beginningOf(line, TITLE_LENGTH);
  const end = cut.lastIndexOf(' ');
  return visibleText(`${end > TITLE_LENGTH / 2 ? cut.slice(0, end) : cut}…`, MAX_NAME_LENGTH);
}
