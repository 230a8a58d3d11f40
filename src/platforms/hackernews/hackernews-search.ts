import { asNumber, asObject, asText, storableText, type WireObject } from '../http/response-parsing.js';
import { PlatformError, type PlatformPost, type Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';
import { createdAt, itemId, itemNumber, mapPost } from './hackernews-items.js';
import { type Attempt, faulty } from '../http/with-retry.js';

/** Maximum number of hits that a query returns, over all pages. */
const MAX_HITS = 1_000;
const MIN_HITS = 100;
/** Hits requested beyond those needed: a page repeats some posts, and plugins may drop some. */
const SPARE_HITS = 50;

/** The tag of every forum. */
const FORUM_TAGS: Readonly<Record<string, string>> = {
  new: 'story',
  top: 'front_page',
  ask: 'ask_hn',
  show: 'show_hn',
  job: 'job',
  comments: 'comment',
};
const USER = /^[\w-]{1,64}(?:\/comments)?$/;
const QUERY = /^search\/(.{1,200})$/is;
/** Ends the name of a user whose comments are meant. */
const COMMENTS = '/comments';

/** One page of a listing: posts created in one second or earlier. */
export interface Search {
  params: Record<string, string>;
  /** Unix second of the newest posts; null at the start. */
  before: number | null;
}

/** A page of posts, and the number of hits that were skipped. */
export interface SearchPage {
  posts: PlatformPost[];
  after: string | null;
  /** Hits that could not be mapped. */
  skipped: number;
}

/** A target as it appears in messages: `forum "hn:top"`. */
export function describeTarget({ type, name }: Target): string {
  return `${type} "hn:${name}"`;
}

/** Whether a parsed target stands for comments: the stories that they belong to are its posts. */
export const isOfComments = ({ type, name }: Target): boolean =>
  type === 'user' ? name.endsWith(COMMENTS) : name === 'comments';

/** The account of a parsed target of type `user`. */
export const accountOf = ({ name }: Target): string =>
  name.endsWith(COMMENTS) ? name.slice(0, -COMMENTS.length) : name;

/** The search for a page of a parsed target. */
export function searchOf(target: Target, wanted: number, after: string | null): Search {
  const size = Math.min(MAX_HITS, Math.max(MIN_HITS, wanted + SPARE_HITS));
  const before = asNumber(after);
  return {
    params: {
      tags: tagsOf(target),
      ...(target.type === 'forum' && queryOf(target)),
      hitsPerPage: String(size),
      ...(before === null ? {} : { numericFilters: `created_at_i<=${before}` }),
    },
    before,
  };
}

/**
 * Reads a page, newest posts first; null for an unexpected shape. The next page begins with the oldest second of this
 * one, because that second may have more posts; it therefore repeats some.
 */
export function readHits(json: unknown, { before }: Pick<Search, 'before'>): SearchPage | null {
  const body = asObject(json);
  if (body === null || !Array.isArray(body.hits)) return null;
  const hits = body.hits.map(asObject);
  const posts = new Map<string, PlatformPost>();
  let skipped = 0;
  for (const hit of hits) {
    const post = hit && mapPost(hit);
    if (!post) skipped += 1;
    else if (!posts.has(post.id)) posts.set(post.id, post);
  }
  return {
    posts: [...posts.values()].sort((a, b) => b.createdUtc.getTime() - a.createdUtc.getTime()),
    after: afterHits(body, hits, before),
    skipped,
  };
}

/** A page of comments: the ids of their stories, those of the newest comments first. */
export interface StoriesPage {
  ids: string[];
  after: string | null;
}

/** Reads a page of comments; null for an unexpected shape. Its end is that of {@link readHits}. */
export function readStories(json: unknown, { before }: Pick<Search, 'before'>): StoriesPage | null {
  const body = asObject(json);
  if (body === null || !Array.isArray(body.hits)) return null;
  const hits = body.hits.map(asObject);
  const numbers = hits.flatMap((hit) => itemNumber(hit?.story_id) ?? []);
  return { ids: [...new Set(numbers.map(itemId))], after: afterHits(body, hits, before) };
}

/** Where the page after some hits begins; null at the end. */
export function afterHits(
  body: WireObject,
  hits: readonly (WireObject | null)[],
  before: number | null,
): string | null {
  const times = hits.map((hit) => (hit && createdAt(hit)?.getTime()) ?? Infinity);
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  // A page can be shorter than requested, so only its number of hits or an empty page says that it is the last.
  const isExact = asObject(body.exhaustive)?.nbHits === true;
  const isEnd = hits.length === 0 || (isExact && asNumber(body.nbHits) === hits.length);
  return isEnd || !Number.isFinite(oldest) ? null : String(nextSecond(Math.floor(oldest / 1_000), before));
}

/** The second at which the next page begins. If this page lies within a single second, continues before it. */
function nextSecond(oldest: number, before: number | null): number {
  return before !== null && oldest >= before ? before - 1 : oldest;
}

function tagsOf(target: Target): string {
  if (target.type === 'user')
    return `author_${accountOf(target)},${isOfComments(target) ? 'comment' : '(story,poll,job)'}`;
  return FORUM_TAGS[target.name] ?? 'story';
}

function queryOf({ name }: Target): { query: string } | null {
  const query = QUERY.exec(name)?.[1];
  return query === undefined ? null : { query };
}

/**
 * A forum in lower case, a search without superfluous spaces, or a user as written; a refusal for a name that no forum or
 * user can have.
 */
export function parseHackerNewsTarget(target: Target): ParsedTarget {
  const refused = `There is no ${describeTarget(target)}`;
  if (target.type === 'user')
    return USER.test(target.name)
      ? { target }
      : { refusal: `${refused}: the name contains characters that are not allowed in names` };
  const name = target.name.toLowerCase();
  if (Object.hasOwn(FORUM_TAGS, name)) return { target: { ...target, name } };
  const query = QUERY.exec(target.name)?.[1]?.trim().replace(/\s+/g, ' ');
  if (query) return { target: { ...target, name: `search/${query}` } };
  const forums = [...Object.keys(FORUM_TAGS), 'search/QUERY'].map((forum) => `hn:${forum}`);
  return { refusal: `${refused}. Forums are ${forums.join(', ')}; for a user, send target_type "user"` };
}

/** Forums of posts: the kind of a post, however it was found. */
const POST_FORUMS = ['story', 'ask', 'show', 'job'];

/** The forum of posts with this name, or which there are. */
export function parseHackerNewsForum(name: string): { name: string } | { refusal: string } {
  const forum = name.toLowerCase();
  if (POST_FORUMS.includes(forum)) return { name: forum };
  const forums = POST_FORUMS.map((one) => `hn:${one}`).join(', ');
  return { refusal: `No post has the forum "hn:${name}". Forums of posts of Hacker News are ${forums}` };
}

/**
 * The result of a refused request: 403 may be temporary; any other status is final and throws {@link PlatformError}.
 */
export function refusal(what: string, status: number, body: WireObject | null): Attempt<never> {
  if (status === 403) return faulty('blocked', 'status 403');
  const said = asText(body?.message) ?? asText(body?.error);
  const quote = said === null ? '' : ` (it says: ${storableText(said, 200)})`;
  throw new PlatformError(
    'bad_answer',
    `Hacker News refused the request for ${what} with status ${status}${quote}. Check HACKERNEWS_API_URL`,
  );
}
