import { type CommentSlice, type PlatformComment, PlatformError, type TreePost } from '../platform.js';
import { type ApiRequest } from './api-client.js';
import { commentId, mapComment, parentOf } from './mapper.js';
import { asArray, asDate, asInteger, asObject, asText, type WireObject } from '../http/response-parsing.js';
import { asFullName, asThing, bareId, type WireThing } from './wire.js';

/** Maximum number of ids of a `morechildren` request; the platform allows one such request at a time. */
const STUB_BATCH = 100;
const FIRST_PAGE = 500;
const SLICE = 500;

/** The walk ends after this many consecutive requests without a new comment; otherwise stubs could lead on forever. */
const MAX_FRUITLESS_REQUESTS = 100;

type Fetch = <T>(request: ApiRequest<T>) => Promise<T>;

/** Things of a response in their order, and the post if the response contained it. */
interface TreeResponse {
  things: WireThing[];
  post: WireObject | null;
}

/**
 * Walks the complete comment tree of a post. Stub ids are merged into full batches over the whole tree, "continue this
 * thread" stubs are followed, and nothing is requested twice. When the platform refuses a batch, its ids count as
 * missing; a refused continued thread or tree counts as one missing comment, because its ids are unknown. Throws
 * {@link PlatformError} for errors that affect more than this tree. `fetchStubs` must run one request at a time.
 */
export async function* walkTree(
  post: TreePost,
  fetch: Fetch,
  onSkipped: () => void,
  fetchStubs: Fetch = fetch,
): AsyncGenerator<CommentSlice> {
  const walk = new TreeWalk(post, onSkipped);
  const first = await unlessRefused(fetch(treeRequest(post.id, null)));
  if (first === null) {
    yield { comments: [], missing: 1 };
    return;
  }
  walk.readPost(first.post);
  walk.take(first.things);
  yield* walk.slices(false);
  for (let fruitless = 0; fruitless < MAX_FRUITLESS_REQUESTS;) {
    const step = walk.next();
    if (step === null) break;
    const before = walk.seen;
    const response = await unlessRefused(
      step.kind === 'thread'
        ? fetch(treeRequest(post.id, bareId(step.parent)))
        : fetchStubs(moreRequest(post.id, step.ids)),
    );
    if (response) walk.take(response.things);
    fruitless = walk.seen === before ? fruitless + 1 : 0;
    if (step.kind === 'thread' && fruitless > 0) walk.emptyThreads += 1;
    yield* walk.slices(false);
  }
  walk.abandonOpen();
  yield* walk.slices(true);
}

type Step = { kind: 'thread'; parent: string } | { kind: 'batch'; ids: string[] };

/**
 * The state of a walk: which comments were received and which stubs are still open. Comments are kept only until they
 * are yielded.
 */
class TreeWalk {
  /** Continued threads without new comments; each counts as one missing comment. */
  emptyThreads = 0;
  private author: string | null = null;
  private createdUtc: Date | null = null;
  /** Depth of every comment that was yielded or is ready to be. */
  private readonly depths = new Map<string, number>();
  /** Comments whose parent has not been received yet, by parent id. */
  private readonly orphans = new Map<string, WireObject[]>();
  private readonly orphanIds = new Set<string>();
  /** Ids listed by stubs: not requested yet, and requested but not delivered. */
  private readonly stubIds = new Set<string>();
  private readonly undelivered = new Set<string>();
  private readonly entered = new Set<string>();
  private readonly threads: string[] = [];
  private ready: PlatformComment[] = [];
  private reportedMissing = 0;

  constructor(
    private readonly post: TreePost,
    private readonly onSkipped: () => void,
  ) {}

  get seen(): number {
    return this.depths.size + this.orphanIds.size;
  }

  get missing(): number {
    return this.emptyThreads + this.undelivered.size;
  }

  private has(id: string): boolean {
    return this.depths.has(id) || this.orphanIds.has(id);
  }

  readPost(row: WireObject | null): void {
    this.author = asText(row?.author);
    this.createdUtc = asDate(row?.created_utc);
  }

  take(things: WireThing[]): void {
    for (const thing of things) {
      if (thing.kind === 'more') this.takeStub(thing.data);
      else if (thing.kind === 't1') this.takeComment(thing.data);
    }
  }

  /**
   * The next request. Threads come first, because their stubs help to fill the batches; only the last batch is partial.
   */
  next(): Step | null {
    const parent = this.threads.shift();
    if (parent !== undefined) return { kind: 'thread', parent };
    const ids: string[] = [];
    for (const id of this.stubIds) {
      if (ids.length === STUB_BATCH) break;
      ids.push(id);
      this.stubIds.delete(id);
      this.undelivered.add(id);
    }
    if (ids.length === 0) return null;
    return { kind: 'batch', ids };
  }

  /** Counts everything not yet requested as missing. */
  abandonOpen(): void {
    for (const id of this.stubIds) this.undelivered.add(id);
    this.emptyThreads += this.threads.length;
  }

  /** Yields ready comments in slices; at the end also those whose parent was never received, and the final count. */
  *slices(end: boolean): Generator<CommentSlice> {
    if (end) this.releaseOrphans();
    while (this.ready.length > 0) {
      this.reportedMissing = this.missing;
      yield { comments: this.ready.splice(0, SLICE), missing: this.missing };
    }
    if (end && this.reportedMissing !== this.missing) yield { comments: [], missing: this.missing };
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

  /** Maps a comment and then its waiting replies. Iterative, because threads can be thousands of levels deep. */
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

  /**
   * Places comments whose parent was never received, at the depth that the platform states, or as top-level comments.
   */
  private releaseOrphans(): void {
    for (const [parent, rows] of [...this.orphans]) {
      if (this.orphanIds.has(parent)) continue;
      this.orphans.delete(parent);
      for (const row of rows) this.place(commentId(row)!, row, Math.max(0, asInteger(row.depth) ?? 0));
    }
    // The remaining comments form cycles of parents.
    for (const row of [...this.orphans.values()].flat()) this.place(commentId(row)!, row, 0);
    this.orphans.clear();
  }
}

function treeRequest(postId: string, comment: string | null): ApiRequest<TreeResponse> {
  const bare = bareId(postId);
  return {
    method: 'GET',
    path: comment === null ? `/comments/${bare}` : `/comments/${bare}/_/${comment}`,
    params: { limit: String(FIRST_PAGE) },
    subject: { kind: 'post', name: postId },
    read: readTree,
  };
}

function moreRequest(postId: string, ids: string[]): ApiRequest<TreeResponse> {
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
  throw new PlatformError('target_forbidden', 'The platform refused to expand a stub of comments');
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

/** Null when the platform refuses this part of the tree; other errors are rethrown. */
async function unlessRefused(response: Promise<TreeResponse>): Promise<TreeResponse | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof PlatformError && (error.code.startsWith('target_') || error.code === 'bad_answer'))
      return null;
    throw error;
  }
}
