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
import { asArray, asObject, asText, asThing } from './wire.js';

/** The platform's cap; more is answered with as much. */
export const PAGE_LIMIT = 100;
/** Names are letters, digits, `_` and `-`; old forums have a dot, topics a colon, joined forums a plus. */
const NAME = /^(?=.*\w)[\w:.+-]{1,255}$/;

/** What a page held: posts the mapper understood, and how many it had to leave out. */
export interface MappedPage extends ListingPage {
  skipped: number;
}

export function subjectOf(target: Target): Subject {
  return { kind: target.type, name: target.name };
}

/** The question for one page. Throws {@link PlatformError} for a name that no target can have. */
export function listingRequest(listing: ListingRef, after: string | null): ApiRequest<MappedPage> {
  const { target, sort, window } = listing;
  const subject = subjectOf(target);
  if (!NAME.test(target.name)) throw notFound(subject, ': the name has characters that no name has');
  const windowed = window !== null && (sort === 'top' || sort === 'controversial');
  const ofUser = target.type === 'user';
  const name = encodeURIComponent(target.name);
  return {
    method: 'GET',
    path: ofUser ? `/user/${name}/submitted` : `/r/${name}/${sort}`,
    params: {
      limit: String(PAGE_LIMIT),
      ...(ofUser ? { sort } : {}),
      ...(windowed ? { t: window } : {}),
      ...(after !== null ? { after } : {}),
    },
    subject,
    read: (json) => readListing(json, after),
  };
}

/** The question for posts by full name. Those that are gone are left out of the answer. */
export function lookUpRequest(ids: readonly string[]): ApiRequest<MappedPage> {
  if (ids.length > PAGE_LIMIT)
    throw new PlatformError('bad_answer', `At most ${PAGE_LIMIT} posts can be looked up at once`);
  return {
    method: 'GET',
    path: '/api/info',
    params: { id: ids.join(',') },
    subject: { kind: 'look-up', name: `${ids.length} posts by id` },
    read: (json) => readListing(json, null),
  };
}

/**
 * Posts of a listing answer, each once (the later of two, which is as good), null when it is no listing.
 * `asked` is the mark this page was asked with: a page that names it again would be asked for ever.
 */
export function readListing(json: unknown, asked: string | null): MappedPage | null {
  const listing = asThing(json);
  if (listing?.kind !== 'Listing' || !Array.isArray(listing.data.children)) return null;
  const posts = new Map<string, PlatformPost>();
  let skipped = 0;
  for (const child of asArray(listing.data.children)) {
    const thing = asThing(child);
    if (thing && thing.kind !== 't3') continue;
    const post = thing && mapPost(thing.data);
    if (post) posts.set(post.id, post);
    else skipped += 1;
  }
  const after = asText(asObject(listing.data)?.after);
  return { posts: [...posts.values()], after: after === asked ? null : after, skipped };
}
