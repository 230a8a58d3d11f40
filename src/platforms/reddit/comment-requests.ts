import { PlatformError } from '../platform.js';
import { asArray, asObject, type WireObject } from '../http/response-parsing.js';
import { type ApiRequest } from './api-client.js';
import { asThing, bareId, type WireThing } from './wire.js';

const FIRST_PAGE = 500;

/** Things of a response in their order, and the post if the response contained it. */
export interface TreeResponse {
  things: WireThing[];
  post: WireObject | null;
}

/** The request for a post's comments, or for those below one of them (a bare id). */
export function treeRequest(postId: string, comment: string | null): ApiRequest<TreeResponse> {
  const bare = bareId(postId);
  return {
    method: 'GET',
    path: comment === null ? `/comments/${bare}` : `/comments/${bare}/_/${comment}`,
    params: { limit: String(FIRST_PAGE) },
    subject: { kind: 'post', name: postId },
    read: readTree,
  };
}

/** The request for comments that a stub lists; their number is limited by the platform. */
export function moreRequest(postId: string, ids: string[]): ApiRequest<TreeResponse> {
  return {
    method: 'POST',
    path: '/api/morechildren',
    params: {
      api_type: 'json',
      link_id: postId,
      children: ids.map(bareId).join(','),
      limit_children: 'false',
    },
    subject: { kind: 'post', name: postId },
    read: readMore,
  };
}

/** Parses `[listing of the post, listing of its top comments]`; null for any other shape. */
function readTree(json: unknown): TreeResponse | null {
  if (!Array.isArray(json) || json.length < 2) return null;
  const [first, second] = json.map(asThing);
  if (first?.kind !== 'Listing' || second?.kind !== 'Listing') return null;
  const post = asThing(asArray(first.data.children)[0]);
  return { things: flatten(asArray(second.data.children)), post: post?.kind === 't3' ? post.data : null };
}

/** Parses `{ json: { errors, data: { things } } }`; null for any other shape. Throws when the platform refused the batch. */
function readMore(json: unknown): TreeResponse | null {
  const body = asObject(asObject(json)?.json);
  const things = asObject(body?.data)?.things;
  if (Array.isArray(things)) return { things: flatten(things), post: null };
  if (body === null || asArray(body.errors).length === 0) return null;
  throw new PlatformError('target_forbidden', 'Reddit refused to expand a stub of comments');
}

/** All things of nested listings, parents before their replies. */
function flatten(roots: readonly unknown[]): WireThing[] {
  const flat: WireThing[] = [];
  const open = [...roots].reverse();
  while (open.length > 0) {
    const thing = asThing(open.pop());
    if (!thing) continue;
    flat.push(thing);
    const replies = asThing(thing.data.replies);
    if (thing.kind !== 't1' || replies?.kind !== 'Listing') continue;
    // A loop, because `push(...children)` overflows the stack with a hundred thousand children.
    const children = asArray(replies.data.children);
    for (let at = children.length - 1; at >= 0; at--) open.push(children[at]);
  }
  return flat;
}
