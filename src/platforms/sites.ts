const REDDIT = 'https://www.reddit.com';
const HACKER_NEWS = 'https://news.ycombinator.com';

/** The site that a permalink (a path beginning with `/`) belongs to, as an origin. */
export function siteOf(permalink: string): string {
  return /^\/item\?id=\d+$/.test(permalink) ? HACKER_NEWS : REDDIT;
}
