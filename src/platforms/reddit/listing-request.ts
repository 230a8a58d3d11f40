import {
  type ListingPage,
  type ListingRef,
  PlatformError,
  type PlatformPost,
  type Target,
} from '../platform.js';
import { type ApiRequest } from './api-client.js';
import { mapPost } from './mapper.js';
import { notFound, type Subject } from './refusals.js';
import { asArray, asText, MAX_NAME_LENGTH } from '../http/response-parsing.js';
import { accountOf } from './reddit-names.js';
import { asFullName, asThing, type WireThing } from './wire.js';

/** The platform's maximum page size; higher limits return this many posts. */
export const PAGE_LIMIT = 100;
/** Names consist of letters, digits, `_` and `-`; some have a dot, a colon (topics) or a plus (multiple forums). */
const NAME = /^(?=.*[\w-])[\w:.+-]{1,255}$/;

/** Listings end near 1,000 posts, minus a few that are hidden; from this number on a listing counts as cut short. */
export const LISTING_CAP = 900;

const WINDOWS = ['all', 'year', 'month', 'week', 'day', 'hour'] as const;

/** The newest posts, then every other order (`sort` or `sort/window`). Checkpoints contain indexes into this list. */
export const LISTINGS: readonly [string, ...string[]] = [
  'new',
  ...WINDOWS.map((window) => `top/${window}`),
  ...WINDOWS.map((window) => `controversial/${window}`),
  'hot',
];

/** A listing page, and how much was left out of it. */
export interface MappedPage extends ListingPage {
  /** Posts that could not be mapped. */
  skipped: number;
  /** URLs that were too long. */
  droppedUrls: number;
}

/** A target as the subject of requests and error messages. */
export function subjectOf(target: Target): Subject {
  return { kind: target.type, name: target.name };
}

/** As {@link subjectOf}. Throws {@link PlatformError} for a malformed name. */
export function namedSubject(target: Target): Subject {
  const subject = subjectOf(target);
  if (!NAME.test(target.name))
    throw notFound(subject, ': the name contains characters that are not allowed in names');
  return subject;
}

/** The request for one page of a listing. Throws {@link PlatformError} for a malformed target name. */
export function listingRequest(listing: ListingRef, after: string | null): ApiRequest<MappedPage> {
  return pageRequest(listing, after, 'submitted', (json) => readListing(json, after));
}

/** The request for one page of an account's comments: ids of their posts. Throws as {@link listingRequest}. */
export function commentedRequest(listing: ListingRef, after: string | null): ApiRequest<CommentedPage> {
  const target = accountOf(listing.target);
  return pageRequest({ ...listing, target }, after, 'comments', (json) => readCommented(json, after));
}

function pageRequest<Page>(
  listing: ListingRef,
  after: string | null,
  ofUser: 'submitted' | 'comments',
  read: ApiRequest<Page>['read'],
): ApiRequest<Page> {
  const { target } = listing;
  const [sort = 'new', window] = listing.name.split('/');
  const subject = namedSubject(target);
  const isUser = target.type === 'user';
  const name = encodeURIComponent(target.name);
  return {
    method: 'GET',
    path: isUser ? `/user/${name}/${ofUser}` : `/r/${name}/${sort}`,
    params: {
      limit: String(PAGE_LIMIT),
      ...(isUser ? { sort } : {}),
      ...(window !== undefined ? { t: window } : {}),
      ...(after !== null ? { after } : {}),
    },
    subject,
    read,
  };
}

/** A page of an account's comments. */
export interface CommentedPage {
  /** Of the posts on which it commented, each once, in the order of the comments. */
  ids: string[];
  after: string | null;
}

function readCommented(json: unknown, requestedAfter: string | null): CommentedPage | null {
  const listing = asThing(json);
  if (listing?.kind !== 'Listing' || !Array.isArray(listing.data.children)) return null;
  const ids = asArray(listing.data.children).flatMap((child) => {
    const thing = asThing(child);
    return (thing?.kind === 't1' && asFullName('t3', thing.data.link_id)) || [];
  });
  return { ids: [...new Set(ids)], after: cursorOf(listing, requestedAfter) };
}

/** The request for posts by full name, at most {@link PAGE_LIMIT}. The response omits posts that no longer exist. */
export function lookUpRequest(ids: readonly string[]): ApiRequest<MappedPage> {
  if (ids.length > PAGE_LIMIT)
    throw new PlatformError('bad_answer', `At most ${PAGE_LIMIT} posts can be looked up at once`);
  return infoRequest(ids, 'posts', (json) => readListing(json, null));
}

/** The request for things of one kind by full name, at most 100. */
export function infoRequest<T>(
  ids: readonly string[],
  things: 'posts' | 'comments',
  read: ApiRequest<T>['read'],
): ApiRequest<T> {
  return {
    method: 'GET',
    path: '/api/info',
    params: { id: ids.join(',') },
    subject: { kind: 'look-up', name: `${ids.length} ${things} by id` },
    read,
  };
}

/**
 * Parses a listing: each post once. Null when the response is not a listing. `requestedAfter`
 * is the cursor with which this page was requested. A page that returns the same cursor counts as the last one, which
 * prevents an endless loop.
 */
export function readListing(json: unknown, requestedAfter: string | null): MappedPage | null {
  const listing = asThing(json);
  if (listing?.kind !== 'Listing' || !Array.isArray(listing.data.children)) return null;
  const posts = new Map<string, PlatformPost>();
  const droppedUrls = new Set<string>();
  let skipped = 0;
  for (const child of asArray(listing.data.children)) {
    const thing = asThing(child);
    // Advertisements are mixed into listings and belong to no forum.
    if (thing && (thing.kind !== 't3' || thing.data.promoted === true)) continue;
    const post = thing && mapPost(thing.data, droppedUrls);
    if (!post) skipped += 1;
    else if (!posts.has(post.id)) posts.set(post.id, post);
  }
  return {
    posts: [...posts.values()],
    after: cursorOf(listing, requestedAfter),
    skipped,
    droppedUrls: droppedUrls.size,
  };
}

function cursorOf({ data }: WireThing, requestedAfter: string | null): string | null {
  const cursor = asText(data.after);
  const after = cursor !== null && cursor.length <= MAX_NAME_LENGTH ? cursor : null;
  return after === requestedAfter ? null : after;
}
