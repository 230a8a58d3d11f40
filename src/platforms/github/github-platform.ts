import type { ContentStream } from '../content-stream.js';
import { MISSING_TREE } from '../comment-slices.js';
import { deletedComment, deletedPost } from '../deleted-content.js';
import { type ApiOptions, JsonClient } from '../http/json-client.js';
import { Requestor } from '../http/requestor.js';
import { OPEN_RULES, type RetryPolicy } from '../http/retry-policy.js';
import { PollingStream } from '../polling/polling-stream.js';
import { SessionCache } from '../http/session-cache.js';
import { retryDependencies } from '../http/with-retry.js';
import { requireTarget } from '../sites/site-targets.js';
import {
  type CommentSlice,
  type ContentLookup,
  type GoneComment,
  type ListingPage,
  type ListingRef,
  type Platform,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type TreePost,
} from '../platform.js';
import type { ThreadFeed } from '../thread-feed.js';
import { tellUnread } from '../unread-posts.js';
import { describe, GitHubApi, type ItemPage } from './github-api.js';
import { type DiscussionPage, GitHubDiscussions } from './github-discussions.js';
import { GitHubRequestor } from './github-requestor.js';
import { githubPolled } from './github-polled.js';
import { GITHUB_PREFIX, type GitHubThread, readGitHubTarget, threadOfId } from './github-target.js';
import { type GitHubComment, loginOf, mapComment, readComment, readIssue } from './github-wire.js';

const RETRIES: RetryPolicy = {
  rules: {
    ...OPEN_RULES,
    unauthorized: { retries: 0, baseMs: 0, capMs: 0, failsAs: 'credentials_refused' },
  },
  source: 'GitHub',
  remedies: {
    rate_limited: 'Set GITHUB_TOKEN, or look for other programs that use this address or token',
    blocked: 'Check GITHUB_API_URL and the address this service runs from',
    unauthorized: 'Check GITHUB_TOKEN',
  },
};
const PAGE_SIZE = 100;
/** Comments that a job keeps of the list of all comments of a repository; larger ones are read issue by issue. */
const MAX_FEED_PAGES = 200;
const MAX_THREAD_PAGES = 1_000;
/** Names of the authors of posts whose comments are not read yet. */
const MAX_KEPT_AUTHORS = 100_000;

/** How to reach the API. */
export interface GitHubOptions extends ApiOptions {
  token: string | undefined;
}

/**
 * GitHub through its REST API: one request gives 100 issues and pull requests with their texts, one 100 comments on an
 * issue, or on all issues of a repository where that takes fewer. Discussions through GraphQL, with a token.
 */
export class GitHubPlatform implements Platform {
  readonly source = 'github';
  readonly listings = ['activity'] as const;
  readonly isByActivity = true;
  readonly listingCap = null;
  readonly archive = null;
  readonly lookup: ContentLookup = {
    prefixes: { post: GITHUB_PREFIX, comment: GITHUB_PREFIX },
    commentsBy: 'thread',
    findGonePosts: async (ids, session) => {
      const found = await this.readThreads(ids, session);
      return ids.filter((_, at) => found[at] === 'gone').map((id) => deletedPost(id));
    },
    findGoneComments: (ids, postId, session) => this.findGoneComments(ids, postId, session),
  };
  private readonly requestor: Requestor;
  private readonly api: GitHubApi;
  private readonly discussions: GitHubDiscussions | null;
  private readonly authors = new SessionCache<string>(() => 1, MAX_KEPT_AUTHORS);
  /** Of sessions that read a whole repository. */
  private readonly feeds = new WeakMap<PlatformSession, ThreadFeed<GitHubComment>>();

  readonly stream: ContentStream;

  /** `pollMs` is the time from one request for all that is new to the next. */
  constructor({ baseUrl, budget, token, userAgent, onLog, dependencies }: GitHubOptions, pollMs: number) {
    this.requestor = new Requestor(userAgent);
    const client = new JsonClient(
      {
        source: 'github',
        baseUrl,
        variable: 'GITHUB_API_URL',
        authorization: token === undefined ? null : `Bearer ${token}`,
      },
      new GitHubRequestor(this.requestor),
      budget,
      retryDependencies(RETRIES, onLog, dependencies),
    );
    this.api = new GitHubApi(client);
    this.discussions = token === undefined ? null : new GitHubDiscussions(client);
    this.stream = new PollingStream(githubPolled(this.api, pollMs, token !== undefined));
  }

  /** `after` holds where issues and discussions go on, either of them empty at its end. */
  async fetchListing(
    { target, wanted, since }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = requireTarget('github', target, readGitHubTarget(target));
    const [issuesAt = null, discussionsAt = null] = after?.split('|') ?? [];
    const none: ItemPage = { items: [], next: null };
    const discussions = read.kind === 'repository' ? this.discussions : null;
    const [page, others] = await Promise.all([
      issuesAt === '' ? none : this.api.readIssues(read, issuesAt, since, session),
      discussions === null || discussionsAt === '' || read.kind === 'user'
        ? { posts: [], next: null }
        : discussions.readDiscussions(read.repository, discussionsAt, since, session),
    ]);
    if (page.isOff === true && discussions === null)
      throw new PlatformError('target_not_found', `The ${describe(read)} has its issues switched off`);
    const listed = page.items.map(readIssue);
    const posts = [...listed, ...others.posts].filter((post) => post !== null);
    tellUnread(session, listed.length + others.posts.length - posts.length);
    for (const { id, author } of posts) this.authors.put(session, id, author);
    const isEnded = page.next === null && others.next === null;
    if (read.kind === 'repository' && after === null && since === undefined) {
      const issues = listed.filter((post) => post !== null);
      if (isFeedCheaper(issues, page.next === null ? issues.length : wanted))
        this.feeds.set(session, this.api.commentFeed(read.repository));
    }
    return {
      posts,
      after: isEnded ? null : `${page.next ?? ''}|${others.next ?? ''}`,
      ...(page.isCut === true && { isCut: true }),
    };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const thread = threadOfId(post.id)!;
    if (isDiscussion(post)) return void (yield* this.walkDiscussion(thread, post, session));
    const count = post.numComments ?? Infinity;
    const whole = await this.feeds
      .get(session)
      ?.take(thread.number, (known) => known.length >= count, session);
    const author = this.authors.take(session, post.id) ?? (await this.authorOf(thread, session));
    if (whole !== undefined && whole.length >= count) {
      const comments = whole.map((comment) => mapComment(post, author, comment)).reverse();
      return void (yield { comments, missing: 0 });
    }
    let query: string | null = null;
    let missing = 0;
    for (let pages = 0; pages < MAX_THREAD_PAGES; pages += 1) {
      const page: ItemPage | null = await this.api.readComments(thread, query, session);
      if (page === null) return void (yield MISSING_TREE);
      const comments = page.items.map(readComment).filter((comment) => comment !== null);
      missing += page.items.length - comments.length;
      yield { comments: comments.map((comment) => mapComment(post, author, comment)), missing };
      query = page.next;
      if (query === null) return;
    }
  }

  private async *walkDiscussion(
    thread: GitHubThread,
    post: TreePost,
    session: PlatformSession,
  ): AsyncGenerator<CommentSlice> {
    let after: string | null = null;
    let missing = 0;
    for (let pages = 0; pages < MAX_THREAD_PAGES; pages += 1) {
      const page: DiscussionPage | null =
        (await this.discussions?.readComments(thread, after, session)) ?? null;
      if (page === null) return void (yield MISSING_TREE);
      missing += page.missing;
      const { author } = page;
      yield {
        comments: page.comments.map(({ comment, parent }) => mapComment(post, author, comment, parent)),
        missing,
      };
      after = page.next;
      if (after === null) return;
    }
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const found = await this.readThreads(ids, session);
    return found.filter((post) => post !== null && post !== 'gone').filter(({ id }) => ids.includes(id));
  }

  /** What the ids name. Only with a token it is known whether what is no issue is a discussion. */
  private readThreads(
    ids: readonly string[],
    session: PlatformSession,
  ): Promise<(PlatformPost | 'gone' | null)[]> {
    return Promise.all(
      ids.map(async (id) => {
        const thread = threadOfId(id);
        if (thread === null) return null;
        const issue = await this.api.readIssue(thread, session);
        if (issue === 'gone') return issue;
        return issue === null
          ? ((await this.discussions?.readDiscussion(thread, session)) ?? null)
          : readIssue(issue);
      }),
    );
  }

  /** Deleted comments are missing from their thread. A thread that was moved to another repository has kept its comments. */
  private async findGoneComments(
    ids: readonly string[],
    postId: string,
    session: PlatformSession,
  ): Promise<GoneComment[]> {
    const [found] = await this.readThreads([postId], session);
    if (found === null || found === undefined) return [];
    const shown = new Set<string>();
    if (found !== 'gone') this.authors.put(session, postId, found.author);
    const slices = found === 'gone' ? [] : this.walkComments({ ...found, id: postId }, session);
    for await (const { comments } of slices) for (const { id } of comments) shown.add(id);
    return ids.filter((id) => !shown.has(id)).map((id) => deletedComment(id));
  }

  private async authorOf(thread: GitHubThread, session: PlatformSession): Promise<string> {
    const issue = await this.api.readIssue(thread, session);
    return loginOf(issue === null || issue === 'gone' ? null : issue.user);
  }

  /** Releases sockets. */
  close(): Promise<void> {
    this.requestor.close();
    return Promise.resolve();
  }
}

const isDiscussion = ({ permalink }: TreePost): boolean => /^\/[^/]+\/[^/]+\/discussions\//.test(permalink);

/**
 * Whether the comments of `wanted` issues take fewer requests by the list of all comments of their repository, as far as
 * the issues of the first page show. Issues are numbered without gaps, so the highest number says how many there are.
 */
function isFeedCheaper(issues: readonly PlatformPost[], wanted: number): boolean {
  const counts = issues.map(({ numComments }) => numComments).filter((count) => count > 0);
  const isAll = wanted === issues.length;
  const all = isAll ? wanted : Math.max(...issues.map(({ id }) => Number(threadOfId(id)!.number)));
  const sum = counts.reduce((total, count) => total + count, 0);
  const requests = counts.reduce((total, count) => total + Math.ceil(count / PAGE_SIZE), 0);
  const ofEach = (total: number, threads: number): number => (total / issues.length) * threads;
  const pages = Math.ceil(ofEach(sum, all) / PAGE_SIZE);
  return pages <= MAX_FEED_PAGES && pages < ofEach(requests, Math.min(wanted, all));
}
