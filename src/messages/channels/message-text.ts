import { SOURCES } from '../../platforms/registry.js';
import type { AlertNotification, NotifiedPost } from './channel.js';
import { beginningOf, charactersOf } from '../../common/strings.js';

/** Maximum number of posts in a notification; further ones are only counted. */
export const MAX_POSTS_SHOWN = 10;
/** Maximum number of keywords in a notification; further ones are only counted. */
const MAX_KEYWORDS_SHOWN = 10;

/** Maximum length of a line of figures, escaped. */
const MAX_LINE_LENGTH = 400;

/** Maximum length of a link that every chat service accepts; an encoded title in a permalink can exceed it. */
const MAX_LINK_LENGTH = 1_000;

/** The link to a post or comment: to its place in the dashboard if there is one, otherwise to where it was published. */
export const shownLinkOf = (
  { commentId, ...post }: Pick<NotifiedPost, 'id' | 'permalink' | 'commentId'>,
  { dashboard }: Pick<AlertNotification, 'dashboard'>,
): string => {
  if (dashboard === undefined) return linkOf(post);
  const place = commentId === undefined ? '' : `#${encodeURIComponent(commentId)}`;
  return `${dashboard}/posts/${encodeURIComponent(post.id)}${place}`;
};

/** The address of an alert's matches in the dashboard; null without a dashboard, or for a spike, story or report, which has none. */
export const matchesLink = ({
  dashboard,
  alertId,
  sentence,
}: Pick<AlertNotification, 'dashboard' | 'alertId' | 'sentence'>): string | null =>
  dashboard === undefined || sentence !== undefined
    ? null
    : `${dashboard}/mentions?alert=${encodeURIComponent(alertId)}`;

/**
 * Returns the URL of a post where it was published. The permalink is appended rather than resolved, so that it cannot lead to another host. A
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

/** Formats where a post is from and how it is discussed, for example `technology · ann · 12 comments · positive`. */
export function bylineOf(post: NotifiedPost, escape?: (text: string) => string): string {
  const { numComments, sentiment, reposts, moreComments } = post;
  const details = [
    numComments !== undefined && countOf(numComments, 'comment'),
    sentiment,
    reposts !== undefined && countOf(reposts, 'repost'),
    moreComments !== undefined && `${moreComments} more ${moreComments === 1 ? 'match' : 'matches'} here`,
  ].filter((detail) => typeof detail === 'string');
  return [fitText(`${post.forum} · ${post.author}`, 200, escape), ...details].join(' · ');
}

/** Formats keywords as text, for example `rust, go and 3 more`. */
export function keywordList(keywords: readonly string[]): string {
  const more = keywords.length - MAX_KEYWORDS_SHOWN;
  const shown = keywords.slice(0, MAX_KEYWORDS_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

type Totals = Pick<AlertNotification, 'totalPosts' | 'totalComments' | 'sentence'>;

/** Formats the number of matches as text, for example `3 posts and 1 comment`; or the sentence in their place. */
export function countMatches({ totalPosts, totalComments, sentence }: Totals): string {
  if (sentence !== undefined) return sentence;
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

/** The figures of a report, escaped, as many lines as fit in `max` characters; each begins with a line break. */
export function figuresText(
  { lines = [] }: Pick<AlertNotification, 'lines'>,
  max: number,
  escape?: (text: string) => string,
): string {
  let text = '';
  for (const line of lines) {
    const next = `\n${fitText(line, MAX_LINE_LENGTH, escape)}`;
    if (text.length + next.length > max) break;
    text += next;
  }
  return text;
}

/** Formats the number of matches not shown, for example `and 3 more posts`; empty when all are shown. */
export function restLine({ totalPosts, totalComments }: Totals, shown: readonly NotifiedPost[]): string {
  const counted = shown.reduce((sum, { moreComments = 0 }) => sum + 1 + moreComments, 0);
  const rest = totalPosts + totalComments - counted;
  if (rest <= 0) return '';
  const noun = totalComments === 0 ? 'post' : totalPosts === 0 ? 'comment' : 'match';
  return `and ${rest} more ${rest === 1 ? noun : noun === 'match' ? 'matches' : `${noun}s`}`;
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Mark of a cut text. */
export const ELLIPSIS = '…';

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
  const head = beginningOf(text, 4 * max);
  const clean = cleanText(head).trim();
  const whole = escape(clean);
  if (whole.length <= max && text.length <= 4 * max) return whole;
  let fitted = '';
  for (const character of charactersOf(clean)) {
    const next = escape(character);
    if (fitted.length + next.length + ELLIPSIS.length > max) break;
    fitted += next;
  }
  return fitted.trimEnd() + ELLIPSIS;
}

/** A text on one line, without control characters and bidirectional overrides. */
export const cleanText = (text: string): string =>
  text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML content and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}
