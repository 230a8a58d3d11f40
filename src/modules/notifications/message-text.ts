import { SOURCES } from '../../platforms/registry.js';
import type { AlertNotification, NotifiedPost } from './channel.js';

/** Maximum number of posts in a notification; further ones are only counted. */
export const MAX_POSTS_SHOWN = 10;
/** Maximum length of an excerpt of a post's body, in UTF-16 units. */
export const EXCERPT_LENGTH = 280;
/** Maximum number of keywords in a notification; further ones are only counted. */
const MAX_KEYWORDS_SHOWN = 10;

/** Maximum length of a link that every chat service accepts; an encoded title in a permalink can exceed it. */
const MAX_LINK_LENGTH = 1_000;

/**
 * Returns the URL of a post. The permalink is appended rather than resolved, so that it cannot lead to another host. A
 * link that is too long is replaced by the shorter one that the platform has, or by the address of the platform.
 */
export function linkOf(post: Pick<NotifiedPost, 'id' | 'permalink'>): string {
  const { origin, shortPath } = SOURCES.siteOf(post.id);
  const path = post.permalink.startsWith('/') ? post.permalink : `/${post.permalink}`;
  const whole = new URL(origin + path);
  if (whole.href.length <= MAX_LINK_LENGTH) return whole.href;
  const short = shortPath?.(whole.pathname) ?? '/';
  return short.length <= MAX_LINK_LENGTH / 2 ? origin + short : `${origin}/`;
}

/** Formats keywords as text, for example `rust, go and 3 more`. */
export function keywordList(keywords: readonly string[]): string {
  const more = keywords.length - MAX_KEYWORDS_SHOWN;
  const shown = keywords.slice(0, MAX_KEYWORDS_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

type Totals = Pick<AlertNotification, 'totalPosts' | 'totalComments' | 'spike'>;

/** Formats the number of matches as text, for example `3 posts and 1 comment`; or what is unusual. */
export function countMatches({ totalPosts, totalComments, spike }: Totals): string {
  if (spike !== undefined) return spike;
  const comments = countOf(totalComments, 'comment');
  if (totalComments === 0) return countOf(totalPosts, 'post');
  return totalPosts === 0 ? comments : `${countOf(totalPosts, 'post')} and ${comments}`;
}

/** Formats the number of matches and the keywords that matched, the latter escaped and of at most `max` characters. */
export function summaryOf(
  notification: Totals & Pick<AlertNotification, 'keywords'>,
  max: number,
  escape?: (text: string) => string,
): string {
  const { keywords } = notification;
  const found = countMatches(notification);
  return keywords.length === 0 ? found : `${found} with ${fitText(keywordList(keywords), max, escape)}`;
}

/** Formats the number of matches not shown, for example `and 3 more posts`; empty when all are shown. */
export function restLine({ totalPosts, totalComments }: Totals, shown: number): string {
  const rest = totalPosts + totalComments - shown;
  if (rest <= 0) return '';
  const noun = totalComments === 0 ? 'post' : totalPosts === 0 ? 'comment' : 'match';
  return `and ${rest} more ${rest === 1 ? noun : noun === 'match' ? 'matches' : `${noun}s`}`;
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const ELLIPSIS = '…';

/**
 * Returns the longest prefix of a text whose escaped form, including the ellipsis, has at most `max` UTF-16 units.
 * Never cuts a character or an escape sequence. Removes control characters and bidirectional overrides.
 */
export function fitText(
  text: string,
  max: number,
  escape: (text: string) => string = (plain) => plain,
): string {
  // Longer texts do not fit in any case, and the work of cleaning and escaping is bounded.
  const head = text.slice(0, 4 * max);
  const clean = head
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const whole = escape(clean);
  if (whole.length <= max && head.length === text.length) return whole;
  let fitted = '';
  for (const character of clean) {
    const next = escape(character);
    if (fitted.length + next.length + ELLIPSIS.length > max) break;
    fitted += next;
  }
  return fitted.trimEnd() + ELLIPSIS;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML content and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}
