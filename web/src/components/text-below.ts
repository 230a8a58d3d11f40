const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * The text of a post below its title; empty when the source has no titles, so that the title is the text or its
 * beginning: then {@link titleOf} is all of it.
 */
export function textBelow({ title, selftext }: { title: string; selftext: string }): string {
  const beginning = folded(title).replace(/ ?(?:…|\.\.\.)$/, '');
  return beginning !== '' && folded(selftext).startsWith(beginning) ? '' : selftext;
}

/** The title of a post, or the text of which the title is the beginning. */
export const titleOf = (post: { title: string; selftext: string }): string =>
  post.selftext !== '' && textBelow(post) === '' ? post.selftext : post.title;
