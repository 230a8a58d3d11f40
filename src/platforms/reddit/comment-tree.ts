import { type CommentSlice, type PlatformComment, PlatformError, type TreePost } from '../platform.js';
import { ItemFaults } from '../item-faults.js';
import { type ApiRequest } from './api-client.js';
import { moreRequest, treeRequest } from './comment-requests.js';
import { commentId, mapComment, parentOf } from './mapper.js';
import { asArray, asDate, asInteger, asText, type WireObject } from '../http/response-parsing.js';
import { asFullName, bareId, type WireThing } from './wire.js';

/** Maximum number of ids of a `morechildren` request; the platform allows one such request at a time. */
const STUB_BATCH = 100;
const SLICE = 500;

/** The walk ends after this many consecutive requests without a new comment; otherwise stubs could lead on forever. */
const MAX_FRUITLESS_REQUESTS = 100;

/** After this many failed requests in a row of a tree whose first page was read, the rest is not requested. */
const MAX_FAULTS_IN_A_ROW = 2;

type Fetch = <T>(request: ApiRequest<T>) => Promise<T>;

/**
 * Walks the complete comment tree of a post. Stub ids are merged into full batches over the whole tree, "continue this
 * thread" stubs are followed, and nothing is requested twice. When the platform refuses a batch or keeps failing for it,
 * its ids count as missing; such a continued thread, or a refused tree, counts as one missing comment, because its ids
 * are unknown. Throws {@link PlatformError} when the tree itself keeps failing, or several of its parts in a row, after
 * yielding the received comments. `fetchStubs` must run one request at a time.
 */
export async function* walkTree(
  post: TreePost,
  fetch: Fetch,
  fetchStubs: Fetch = fetch,
): AsyncGenerator<CommentSlice> {
  const walk = new TreeWalk(post);
  const faults = new ItemFaults(MAX_FAULTS_IN_A_ROW);
  const first = await fetch(treeRequest(post.id, null)).catch(nullWhenRefused);
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
    try {
      const response = await (
        step.kind === 'batch'
          ? fetchStubs(moreRequest(post.id, step.ids))
          : fetch(treeRequest(post.id, bareId(step.parent)))
      ).catch(nullWhenRefused);
      if (response) walk.take(response.things);
      faults.succeeded();
    } catch (error) {
      if (!faults.passesOver(error)) {
        walk.abandonOpen();
        yield* walk.slices(true);
        throw error;
      }
    }
    fruitless = walk.seen === before ? fruitless + 1 : 0;
    if (step.kind === 'thread' && fruitless > 0) walk.emptyThreads += 1;
    yield* walk.slices(false);
  }
  walk.abandonOpen();
  yield* walk.slices(true);
}

/** A page continues a thread, or shows comments that a batch did not deliver. */
type Step = { kind: 'thread' | 'page'; parent: string } | { kind: 'batch'; ids: string[] };

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
  /** The page that may show a comment, by the id of a comment whose stub counts fewer comments than it lists. */
  private readonly pages = new Map<string, string>();
  private ready: PlatformComment[] = [];
  private reportedMissing = 0;
  /** Comments without an id or time. */
  private unread = 0;

  constructor(private readonly post: TreePost) {}

  get seen(): number {
    return this.depths.size + this.orphanIds.size;
  }

  get missing(): number {
    return this.emptyThreads + this.undelivered.size + this.unread;
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
   * Pages of undelivered comments come last.
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
    return ids.length > 0 ? { kind: 'batch', ids } : this.nextPage();
  }

  private nextPage(): Step | null {
    for (const [id, parent] of this.pages) {
      this.pages.delete(id);
      if (!this.undelivered.has(id) || this.entered.has(parent)) continue;
      this.entered.add(parent);
      return { kind: 'page', parent };
    }
    return null;
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
    const parent = parentOf(stub);
    const isUnderstated = (asInteger(stub.count) ?? ids.length) < ids.length;
    for (const id of ids) {
      if (this.undelivered.has(id) || this.has(id)) continue;
      this.stubIds.add(id);
      if (isUnderstated) this.pages.set(id, parent?.startsWith('t1_') ? parent : id);
    }
    if (ids.length > 0 || !parent?.startsWith('t1_') || this.entered.has(parent)) return;
    this.entered.add(parent);
    this.threads.push(parent);
  }

  private takeComment(row: WireObject): void {
    const id = commentId(row);
    if (id === null) return void (this.unread += 1);
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
      else this.unread += 1;
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

/** Null when the platform refuses this part of the tree; other errors are rethrown. */
function nullWhenRefused(error: unknown): null {
  if (error instanceof PlatformError && (error.code.startsWith('target_') || error.code === 'bad_answer'))
    return null;
  throw error;
}
