import type { PluginItem, ScrapePlugin } from '../plugin.js';
import { beginningOf, withoutEnding } from '../../../common/strings.js';

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\]|\\^{}]+/gi;
const MAX_LINKS = 50;
/** Longer addresses are cut, as browsers do. */
const MAX_LENGTH = 2_048;
const PUNCTUATION = '.,;:!?*_~';

/** Distinct absolute addresses in a text, without the punctuation of the sentence around them. */
export function linksIn(text: string): string[] {
  const found = new Set<string>();
  for (const [match] of text.matchAll(ADDRESS)) {
    const link = withoutUnpaired(withoutEnding(beginningOf(match, MAX_LENGTH), PUNCTUATION));
    if (URL.canParse(link)) found.add(link);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
}

/** Markdown puts addresses into parentheses; parentheses that belong to an address come in pairs. */
function withoutUnpaired(link: string): string {
  let open = 0;
  for (const character of link) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  let end = link.length;
  for (; open < 0 && link[end - 1] === ')'; end -= 1) open += 1;
  return link.slice(0, end);
}

function annotate<T>(batch: PluginItem<T>[], textOf: (record: T) => string): PluginItem<T>[] {
  for (const { record, annotations } of batch) {
    const links = linksIn(textOf(record));
    if (links.length > 0) annotations.links = links;
  }
  return batch;
}

/** Plugin that annotates links. */
export const linkExtractor: ScrapePlugin = {
  name: 'link_extractor',
  description: 'Stores the URLs that a post or comment links to, as `links`.',
  onPosts: (batch) => annotate(batch, (post) => `${post.selftext} ${post.url ?? ''}`),
  onComments: (batch) => annotate(batch, (comment) => comment.body),
};
