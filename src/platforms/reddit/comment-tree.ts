import { type CommentSlice, type PlatformComment, PlatformError, type PlatformPost } from '../platform.js';
import { type ApiRequest } from './api-client.js';
import { commentId, mapComment, parentOf } from './mapper.js';
import {
  asArray,
  asDate,
  asFullName,
  asInteger,
  asObject,
  asText,
  asThing,
  bareId,
  type WireObject,
  type WireThing,
} from './wire.js';

/** The platform expands at most this many stub ids in one call, and only one call at a time. */
const STUB_BATCH = 100;
const FIRST_PAGE = 500;
const SLICE = 500;

type TreePost = Pick<PlatformPost, 'id' | 'permalink'>;
type Ask = <T>(request: ApiRequest<T>) => Promise<T>;

/** Things of an answer, in the order it gave them, and the post when it came along. */
interface TreeAnswer {
  things: WireThing[];
  post: WireObject | null;
}

/**
 * Walks the whole comment tree of a post. Stub ids of the whole thread are merged into full batches, "continue this
 * thread" stubs are entered, nothing is asked for twice. A batch, continued thread or tree that the platform refuses is
 * counted as missing (a thread or tree as one, since nobody knows its ids) and fails nothing.
 * Throws {@link PlatformError} for everything that is not about this tree alone.
 */
export async function* walkTree(
  post: TreePost,
  ask: Ask,
  onSkipped: () => void,
): AsyncGenerator<CommentSlice> {
  const walk = new TreeWalk(post, onSkipped);
  const first = await unlessRefused(ask(treeRequest(post.id, null)));
  if (first === null) {
    yield { comments: [], missing: 1 };
    return;
  }
  walk.meetPost(first.post);
  walk.take(first.things);
  yield* walk.slices(false);
  for (let step = walk.next(); step !== null; step = walk.next()) {
    if (step.kind === 'thread') {
      const answer = await unlessRefused(ask(treeRequest(post.id, bareId(step.parent))));
      const before = walk.seen;
      if (answer) walk.take(answer.things);
      if (walk.seen === before) walk.lost += 1;
    } else {
      const answer = await unlessRefused(ask(moreRequest(post.id, step.ids)));
      if (answer) walk.take(answer.things);
    }
    yield* walk.slices(false);
  }
  yield* walk.slices(true);
}

type Step = { kind: 'thread'; parent: string } | { kind: 'batch'; ids: string[] };

/** What is known of one tree: which comments came, which stubs are open. Holds texts only until they are handed on. */
class TreeWalk {
  /** Continued threads that brought nothing. */
  lost = 0;
  private author: string | null = null;
  private createdUtc: Date | null = null;
  /** Depth of every comment that was handed on or is about to be. */
  private readonly depths = new Map<string, number>();
  /** Comments whose parent has not come yet, by that parent. */
  private readonly orphans = new Map<string, WireObject[]>();
  private readonly orphanIds = new Set<string>();
  /** Ids that stubs listed: not asked for yet, and asked for but not delivered. */
  private readonly stubIds = new Set<string>();
  private readonly undelivered = new Set<string>();
  private readonly entered = new Set<string>();
  private readonly threads: string[] = [];
  private ready: PlatformComment[] = [];
  private told = 0;

  constructor(
    private readonly post: TreePost,
    private readonly onSkipped: () => void,
  ) {}

  get seen(): number {
    return this.depths.size + this.orphanIds.size;
  }

  get missing(): number {
    return this.lost + this.undelivered.size;
  }

  private has(id: string): boolean {
    return this.depths.has(id) || this.orphanIds.has(id);
  }

  meetPost(row: WireObject | null): void {
    this.author = asText(row?.author);
    this.createdUtc = asDate(row?.created_utc);
  }

  take(things: WireThing[]): void {
    for (const thing of things) {
      if (thing.kind === 'more') this.takeStub(thing.data);
      else if (thing.kind === 't1') this.takeComment(thing.data);
    }
  }

  /** Threads first: the stubs they bring fill the batches, so that only the last one is less than full. */
  next(): Step | null {
    const parent = this.threads.shift();
    if (parent !== undefined) return { kind: 'thread', parent };
    const ids = [...this.stubIds].slice(0, STUB_BATCH);
    if (ids.length === 0) return null;
    for (const id of ids) {
      this.stubIds.delete(id);
      this.undelivered.add(id);
    }
    return { kind: 'batch', ids };
  }

  /** Comments that can be handed on, in slices; at the end also those whose parent never came, and the count. */
  *slices(end: boolean): Generator<CommentSlice> {
    if (end) this.releaseOrphans();
    while (this.ready.length > 0) {
      this.told = this.missing;
      yield { comments: this.ready.splice(0, SLICE), missing: this.missing };
    }
    if (end && this.told !== this.missing) yield { comments: [], missing: this.missing };
  }

  private takeStub(stub: WireObject): void {
    const ids = asArray(stub.children).flatMap((child) => asFullName('t1', child) ?? []);
    for (const id of ids) if (!this.undelivered.has(id) && !this.has(id)) this.stubIds.add(id);
    const parent = parentOf(stub);
    if (ids.length > 0 || !parent?.startsWith('t1_') || this.entered.has(parent)) return;
    this.entered.add(parent);
    this.threads.push(parent);
  }

  private takeComment(row: WireObject): void {
    const id = commentId(row);
    if (id === null) return this.onSkipped();
    if (this.has(id)) return;
    this.stubIds.delete(id);
    this.undelivered.delete(id);
    const parent = parentOf(row) ?? this.post.id;
    const parentDepth = parent.startsWith('t3_') ? -1 : this.depths.get(parent);
    if (parentDepth !== undefined) return this.place(id, row, parentDepth + 1);
    this.orphanIds.add(id);
    const siblings = this.orphans.get(parent);
    if (siblings) siblings.push(row);
    else this.orphans.set(parent, [row]);
  }

  /** Hands a comment on, and after it those that waited for it. No recursion: threads can be thousands deep. */
  private place(id: string, row: WireObject, depth: number): void {
    const open: { id: string; row: WireObject; depth: number }[] = [{ id, row, depth }];
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      if (this.depths.has(item.id)) continue;
      this.orphanIds.delete(item.id);
      const comment = mapComment(item.row, {
        post: this.post,
        postAuthor: this.author,
        postCreatedUtc: this.createdUtc,
        depth: item.depth,
      });
      this.depths.set(item.id, item.depth);
      if (comment) this.ready.push(comment);
      else this.onSkipped();
      const children = this.orphans.get(item.id);
      if (!children) continue;
      this.orphans.delete(item.id);
      for (const child of children.reverse())
        open.push({ id: commentId(child)!, row: child, depth: item.depth + 1 });
    }
  }

  /** Roots of what hangs on nothing come first, with the depth the platform gave them, or as top-level ones. */
  private releaseOrphans(): void {
    for (const [parent, rows] of [...this.orphans]) {
      if (this.orphanIds.has(parent)) continue;
      this.orphans.delete(parent);
      for (const row of rows) this.place(commentId(row)!, row, Math.max(0, asInteger(row.depth) ?? 0));
    }
    // What is left answers itself in a circle, which no sound answer does.
    for (const row of [...this.orphans.values()].flat()) this.place(commentId(row)!, row, 0);
    this.orphans.clear();
  }
}

function treeRequest(postId: string, comment: string | null): ApiRequest<TreeAnswer> {
  const bare = bareId(postId);
  return {
    method: 'GET',
    path: comment === null ? `/comments/${bare}` : `/comments/${bare}/_/${comment}`,
    params: { limit: String(FIRST_PAGE) },
    subject: { kind: 'post', name: postId },
    read: readTree,
  };
}

function moreRequest(postId: string, ids: string[]): ApiRequest<TreeAnswer> {
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

/** `[listing of the post, listing of its top comments]`; null when it is not that. */
export function readTree(json: unknown): TreeAnswer | null {
  if (!Array.isArray(json) || json.length < 2) return null;
  const [first, second] = json.map(asThing);
  if (first?.kind !== 'Listing' || second?.kind !== 'Listing') return null;
  const post = asThing(asArray(first.data.children)[0]);
  return { things: flatten(asArray(second.data.children)), post: post?.kind === 't3' ? post.data : null };
}

/** `{ json: { errors, data: { things } } }`; without data the platform refused the batch, and says so in `errors`. */
export function readMore(json: unknown): TreeAnswer | null {
  const body = asObject(asObject(json)?.json);
  const things = asObject(body?.data)?.things;
  if (Array.isArray(things)) return { things: flatten(things), post: null };
  if (body === null || asArray(body.errors).length === 0) return null;
  throw new PlatformError('target_forbidden', 'The platform refused to expand a stub of comments');
}

/** Every thing of nested listings, parents before their replies. */
function flatten(roots: readonly unknown[]): WireThing[] {
  const flat: WireThing[] = [];
  const open = [...roots].reverse();
  while (open.length > 0) {
    const thing = asThing(open.pop());
    if (!thing) continue;
    flat.push(thing);
    const replies = asThing(thing.data.replies);
    if (thing.kind === 't1' && replies?.kind === 'Listing')
      open.push(...[...asArray(replies.data.children)].reverse());
  }
  return flat;
}

/** Null when the platform refuses this part of this tree; whatever concerns more than that is thrown on. */
async function unlessRefused(answer: Promise<TreeAnswer>): Promise<TreeAnswer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && (error.code.startsWith('target_') || error.code === 'bad_answer'))
      return null;
    throw error;
  }
}
