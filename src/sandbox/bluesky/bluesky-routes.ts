import { Conversations, type Opening, type Reply, type Statement } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { COLLECTION, DID, keyOf, recordOf } from './bluesky-records.js';

const HANDLE = 'bsky.app';
/** Levels of replies that a thread is sent with. */
const MAX_DEPTH = 10;
const MAX_PAGE = 100;

/** A synthetic AppView of Bluesky. Maps a method to a response. */
export class BlueskyRoutes {
  readonly posts: Conversations;

  constructor(data: DataSet) {
    this.posts = new Conversations(data, 'askanything');
  }

  answer(method: string, params: URLSearchParams): Answer {
    switch (method) {
      case 'app.bsky.feed.getAuthorFeed':
        return this.feed(params);
      case 'app.bsky.feed.getPostThread':
        return this.thread(params.get('uri') ?? '');
      case 'app.bsky.feed.getPosts':
        return json(200, { posts: params.getAll('uris').flatMap((uri) => this.view(uri) ?? []) });
      case 'app.bsky.actor.getProfile':
        return isAccount(params.get('actor')) ? json(200, authorOf(HANDLE)) : refused('Profile not found');
      default:
        return json(501, { error: 'MethodNotImplemented', message: 'Method Not Implemented' });
    }
  }

  private feed(params: URLSearchParams): Answer {
    if (!isAccount(params.get('actor'))) return refused('Profile not found');
    const before = params.get('cursor');
    const limit = Math.min(MAX_PAGE, Math.max(1, Number(params.get('limit') ?? 50)));
    const page = this.posts.page(before === null ? null : Number(before), limit);
    const last = page.at(-1);
    return json(200, {
      feed: page.map((post) => ({ post: this.openingView(post) })),
      ...(last && { cursor: String(last.index) }),
    });
  }

  private thread(uri: string): Answer {
    const { post, replies, reply } = this.find(uri) ?? {};
    if (post === undefined || replies === undefined)
      return json(400, { error: 'NotFound', message: `Post not found: ${uri}` });
    const below = new Map<number, number[]>();
    for (const [at, { parent }] of replies.entries()) below.set(parent, [...(below.get(parent) ?? []), at]);
    const nodeOf = (at: number, depth: number): object => ({
      $type: 'app.bsky.feed.defs#threadViewPost',
      post: at < 0 ? this.openingView(post) : replyView(post, replies, at),
      ...(depth < MAX_DEPTH && { replies: (below.get(at) ?? []).map((one) => nodeOf(one, depth + 1)) }),
    });
    return json(200, { thread: nodeOf(reply ?? -1, 0) });
  }

  private view(uri: string): object | null {
    const { post, replies, reply } = this.find(uri) ?? {};
    if (post === undefined || replies === undefined) return null;
    return reply === null || reply === undefined ? this.openingView(post) : replyView(post, replies, reply);
  }

  private openingView(post: Opening): object {
    const replies = this.posts.directReplies(post.index);
    return viewOf(post, uriOf(DID, post.index), authorOf(HANDLE), recordOf(post), replies);
  }

  /** The post and the reply that an address names. */
  private find(uri: string): { post: Opening; replies: Reply[]; reply: number | null } | null {
    const [, index, reply] = /\/p(\d+)(?:r(\d+))?$/.exec(uri) ?? [];
    const post = this.posts.find(Number(index ?? -1));
    if (post === null) return null;
    const replies = this.posts.replies(post.index);
    if (reply === undefined) return uri === uriOf(DID, post.index) ? { post, replies, reply: null } : null;
    const author = replies[Number(reply)]?.author;
    const isThere = author !== undefined && uri === uriOf(didOf(author), post.index, Number(reply));
    return isThere ? { post, replies, reply: Number(reply) } : null;
  }
}

const refused = (message: string): Answer => json(400, { error: 'InvalidRequest', message });
const isAccount = (actor: string | null): boolean => actor === HANDLE || actor === DID;
const didOf = (name: string): string => `did:plc:${name.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
const authorOf = (handle: string): object => ({ did: DID, handle, labels: [] });

function uriOf(did: string, index: number, reply?: number): string {
  return `at://${did}/${COLLECTION}/${keyOf(index, reply)}`;
}

function viewOf(
  statement: Statement,
  uri: string,
  author: object,
  record: object,
  replyCount: number,
): object {
  return {
    uri,
    cid: `bafy${uri.length}`,
    author,
    record,
    replyCount,
    repostCount: 0,
    likeCount: statement.likes,
    indexedAt: statement.createdAt.toISOString(),
    labels: [],
  };
}

function replyView(post: Opening, replies: readonly Reply[], at: number): object {
  const reply = replies[at]!;
  const parent = replies[reply.parent];
  const refOf = (uri: string): object => ({ uri, cid: 'bafy' });
  const root = refOf(uriOf(DID, post.index));
  const record = {
    ...recordOf(reply),
    reply: { root, parent: parent ? refOf(uriOf(didOf(parent.author), post.index, reply.parent)) : root },
  };
  const author = {
    did: didOf(reply.author),
    handle: `${didOf(reply.author).slice(8)}.bsky.example`,
    labels: [],
  };
  const count = replies.filter(({ parent: of }) => of === at).length;
  return viewOf(reply, uriOf(didOf(reply.author), post.index, at), author, record, count);
}
