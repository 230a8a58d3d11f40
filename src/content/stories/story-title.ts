import { beginningOf } from '../../common/strings.js';

const TITLE_CHARACTERS = 200;

/** The title of a story: that of a text of it, or its beginning. */
export const storyTitle = ({ title, text }: { title: string; text: string }): string =>
  beginningOf(title || text, TITLE_CHARACTERS);
