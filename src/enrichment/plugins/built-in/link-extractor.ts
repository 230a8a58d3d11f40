import type { PluginItem, ScrapePlugin } from '../plugin.js';

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\]|\\^{}]+/gi;
const MAX_LINKS = 50;

/** Distinct absolute addresses in a text, without the punctuation of the sentence around them. */
export function linksIn(text: string): string[] {
  const found = new Set<string>();
  for (const [match] of text.matchAll(ADDRESS)) {
    let link = match.replace(/[.,;:!?*_~]+$/, '');
    // Markdown puts addresses into parentheses; parentheses that belong to an address come in pairs.
    while (link.endsWith(')') && link.split(')').length > link.split('(').length) link = link.slice(0, -1);
    if (URL.canParse(link)) found.add(link);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
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
