import { siteId, splitSiteId } from '../../common/site-names.js';
import { MISSING_TREE, slicesOf } from '../comment-slices.js';
import { deletedComment, deletedPost } from '../deleted-content.js';
import { JsonClient } from '../http/json-client.js';
import type { RequestBudget } from '../http/request-budget.js';
import { Requestor } from '../http/requestor.js';
import { asArray, asInteger, asText, unescaped, type WireObject } from '../http/response-parsing.js';
import { OPEN_RULES, type RetryPolicy } from '../http/retry-policy.js';
import { SessionCache } from '../http/session-cache.js';
import { eachSite } from '../http/site-lookup.js';
import { type PlatformLog, retryDependencies, type TimeOverrides } from '../http/with-retry.js';
import {
  type CommentSlice,
  type ContentLookup,
  type ListingPage,
  type ListingRef,
  type Platform,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type TreePost,
} from '../platform.js';
import { StackExchangeApi } from './stackexchange-api.js';
import { StackExchangeRequestor } from './stackexchange-requestor.js';
import { postAt, readStackExchangeTarget } from './stackexchange-target.js';
import {
  answersIn,
  itemOf,
  lacksComments,
  numberOf,
  readQuestion,
  readThread,
  STACKEXCHANGE_PREFIX,
} from './stackexchange-wire.js';

const RETRIES: RetryPolicy = {
  rules: {
    ...OPEN_RULES,
    // It answers again half a minute or some minutes after too many requests.
    blocked: { retries: 4, baseMs: 30_000, capMs: 120_000, failsAs: 'blocked' },
    unauthorized: { retries: 0, baseMs: 0, capMs: 0, failsAs: 'credentials_refused' },
  },
  source: 'Stack Exchange',
  remedies: {
    rate_limited: 'Set STACKEXCHANGE_KEY, or see what else uses this address',
    blocked: 'Check STACKEXCHANGE_API_URL and the address this service runs from',
    unauthorized: 'Check STACKEXCHANGE_KEY',
  },
};
/** Characters of threads that a job keeps from a listing until it walks them. */
const MAX_KEPT_CHARACTERS = 32 * 1_024 * 1_024;

/** How to reach the API. */
export interface StackExchangeOptions {
  baseUrl: string;
  key: string | undefined;
  userAgent: string;
  budget: RequestBudget;
  onLog?: PlatformLog;
  /** Overrides of sleep, clock and random source, for tests. */
  dependencies?: TimeOverrides;
}

/** Stack Exchange through its API: one request gives a hundred questions with their answers and comments. */
export class StackExchangePlatform implements Platform {
  readonly source = 'stackexchange';
  readonly listings = ['activity'] as const;
  readonly isByActivity = true;
  readonly listingCap = null;
  readonly archive = null;
  readonly lookup: ContentLookup = {
    prefixes: { post: STACKEXCHANGE_PREFIX, comment: STACKEXCHANGE_PREFIX },
    commentsBy: 'id',
    findGonePosts: async (ids, session) =>
      (await this.findGone(ids, session, (number) => ({ kind: 'questions', number }))).map((id) =>
        deletedPost(id),
      ),
    findGoneComments: async (ids, _postId, session) =>
      (await this.findGone(ids, session, itemOf)).map((id) => deletedComment(id)),
  };
  private readonly requestor: Requestor;
  private readonly api: StackExchangeApi;
  private readonly threads = new SessionCache<WireObject>(
    (question) => JSON.stringify(question).length,
    MAX_KEPT_CHARACTERS,
  );

  constructor({ baseUrl, key, userAgent, budget, onLog, dependencies }: StackExchangeOptions) {
    this.requestor = new Requestor(userAgent);
    const sender = new StackExchangeRequestor(this.requestor, dependencies?.now);
    const retries = retryDependencies(RETRIES, onLog, dependencies);
    const client = new JsonClient('stackexchange', baseUrl, 'STACKEXCHANGE_API_URL', sender, budget, retries);
    this.api = new StackExchangeApi(client, key);
  }

  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = readStackExchangeTarget(target);
    if (read === null)
      throw new PlatformError('target_not_found', `There is no target "stackexchange:${target.name}"`);
    const page = await this.api.readQuestions(read, after, session);
    const questions = page.items.flatMap((item) => readQuestion(read.site, item) ?? []);
    for (const { post, wire } of questions) this.threads.put(session, post.id, wire);
    return { posts: questions.map(({ post }) => post), after: page.after };
  }

  /** The listing held the thread, unless the job was interrupted between the two. */
  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const { site, number } = splitSiteId(STACKEXCHANGE_PREFIX, post.id)!;
    const question =
      this.threads.take(session, post.id) ??
      (await this.api.readItems('questions', site, [number], session)).at(0);
    if (question === undefined) return void (yield MISSING_TREE);
    const held = answersIn(question);
    const isWhole = held.length >= (asInteger(question.answer_count) ?? 0);
    const answers = isWhole ? held : await this.api.readAnswers(site, number, session);
    const cut = [question, ...answers].filter(lacksComments).flatMap((item) => numberOf(item) ?? []);
    const rest = cut.length === 0 ? [] : await this.restOf(site, cut, session);
    const { comments, missing } = readThread(site, post, question, answers, rest);
    yield* slicesOf(comments, missing);
  }

  /** The comments on posts of which a thread lacks some; none if they cannot be read, because the thread is held already. */
  private async restOf(
    site: string,
    posts: readonly string[],
    session: PlatformSession,
  ): Promise<WireObject[]> {
    try {
      return await this.api.readComments(site, posts, session);
    } catch (error) {
      if (error instanceof PlatformError && error.code !== 'credentials_refused') return [];
      throw error;
    }
  }

  /** The first tag of the question at an address, or of the question to which an answer belongs. */
  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const post = postAt(url);
    if (post === null) return null;
    const [item] = await this.api.readItems(post.kind, post.site, [post.number], session);
    const number = asInteger(item?.question_id);
    const isAnswer = post.kind === 'answers' && number !== null;
    const [question] = isAnswer
      ? await this.api.readItems('questions', post.site, [String(number)], session)
      : [item];
    const tag = asText(asArray(unescaped(question?.tags))[0]);
    if (tag === null)
      throw new PlatformError('target_not_found', `There is no such question on ${post.site}`);
    return { type: 'forum', name: `${post.site}/${tag}` };
  }

  fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    return eachSite(STACKEXCHANGE_PREFIX, ids, async (site, numbers) => {
      const items = await this.api.readItems('questions', site, numbers, session);
      return items.flatMap((item) => readQuestion(site, item)?.post ?? []);
    });
  }

  /** Deleted content is missing from the answers, without a word. */
  private findGone(
    ids: readonly string[],
    session: PlatformSession,
    itemOfNumber: (number: string) => { kind: 'questions' | 'answers' | 'comments'; number: string },
  ): Promise<string[]> {
    return eachSite(STACKEXCHANGE_PREFIX, ids, async (site, numbers) => {
      const shown = new Set<string | null>();
      const items = numbers.map(itemOfNumber);
      for (const kind of new Set(items.map((item) => item.kind))) {
        const ofKind = items.filter((item) => item.kind === kind).map(({ number }) => number);
        for (const item of await this.api.readItems(kind, site, ofKind, session)) shown.add(numberOf(item));
      }
      return numbers
        .filter((number) => !shown.has(number))
        .map((number) => siteId(STACKEXCHANGE_PREFIX, site, number));
    });
  }

  close(): Promise<void> {
    this.requestor.close();
    return Promise.resolve();
  }
}
