import { groupBy } from '../../common/collections.js';
import { siteId, splitSiteId } from '../../common/site-names.js';
import { MISSING_TREE, slicesOf } from '../comment-slices.js';
import { lookupById } from '../deleted-content.js';
import { type ApiOptions, JsonClient } from '../http/json-client.js';
import { Requestor } from '../http/requestor.js';
import {
  asCount,
  asInteger,
  asObjects,
  asTexts,
  unescaped,
  type WireObject,
} from '../http/response-parsing.js';
import { OPEN_RULES, type RetryPolicy } from '../http/retry-policy.js';
import { SessionCache } from '../http/session-cache.js';
import { eachSite } from '../sites/site-lookup.js';
import { requireTarget } from '../sites/site-targets.js';
import { retryDependencies } from '../http/with-retry.js';
import {
  type CommentSlice,
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
  COMMENT_MARK,
  lacksComments,
  numberOf,
  readQuestion,
  readThread,
  STACKEXCHANGE_PREFIX,
} from './stackexchange-wire.js';
import { tellUnread } from '../unread-posts.js';

const RETRIES: RetryPolicy = {
  rules: {
    ...OPEN_RULES,
    // It answers again half a minute or some minutes after too many requests.
    blocked: { retries: 4, baseMs: 30_000, capMs: 120_000, failsAs: 'blocked' },
    unauthorized: { retries: 0, baseMs: 0, capMs: 0, failsAs: 'credentials_refused' },
  },
  source: 'Stack Exchange',
  remedies: {
    rate_limited: 'Set STACKEXCHANGE_KEY, or look for other programs that use this address',
    blocked: 'Check STACKEXCHANGE_API_URL and the address this service runs from',
    unauthorized: 'Check STACKEXCHANGE_KEY',
  },
};
/** Characters of threads that a job keeps from a listing until it walks them. */
const MAX_KEPT_CHARACTERS = 32 * 1_024 * 1_024;

/** How to reach the API. */
export interface StackExchangeOptions extends ApiOptions {
  key: string | undefined;
}

/** Stack Exchange through its API: one request gives a hundred questions with their answers and comments. */
export class StackExchangePlatform implements Platform {
  readonly source = 'stackexchange';
  readonly listings = ['activity'] as const;
  readonly isByActivity = true;
  readonly listingCap = null;
  readonly archive = null;
  readonly lookup = lookupById(STACKEXCHANGE_PREFIX, this.findGone.bind(this));
  private readonly requestor: Requestor;
  private readonly api: StackExchangeApi;
  private readonly threads = new SessionCache<WireObject>(
    (question) => JSON.stringify(question).length,
    MAX_KEPT_CHARACTERS,
  );

  constructor(options: StackExchangeOptions) {
    this.requestor = new Requestor(options.userAgent);
    const sender = new StackExchangeRequestor(this.requestor, options.dependencies?.now);
    const retries = retryDependencies(RETRIES, options.onLog, options.dependencies);
    const { baseUrl, budget, key } = options;
    const client = new JsonClient(
      { source: 'stackexchange', baseUrl, variable: 'STACKEXCHANGE_API_URL' },
      sender,
      budget,
      retries,
    );
    this.api = new StackExchangeApi(client, key);
  }

  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = requireTarget('stackexchange', target, readStackExchangeTarget(target));
    const page = await this.api.readQuestions(read, after, session);
    const posts = page.items.flatMap((question) => {
      const post = readQuestion(read.site, question);
      if (post !== null) this.threads.put(session, post.id, question);
      return post ?? [];
    });
    tellUnread(session, page.items.length - posts.length);
    return { posts, after: page.after };
  }

  /** The listing held the thread, unless the job was interrupted between the two. */
  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const { site, number } = splitSiteId(STACKEXCHANGE_PREFIX, post.id)!;
    const question =
      this.threads.take(session, post.id) ??
      (await this.api.readItems('questions', site, [number], session)).at(0);
    if (question === undefined) return void (yield MISSING_TREE);
    const held = asObjects(question.answers);
    const isWhole = held.length >= asCount(question.answer_count);
    const answers = isWhole ? held : await this.api.readAnswers(site, number, session);
    const cut = [question, ...answers].filter(lacksComments).flatMap((item) => numberOf(item) ?? []);
    // The thread is held already, so it only lacks those that cannot be read.
    const rest = await this.api.readComments(site, cut, session).catch((error: unknown): WireObject[] => {
      if (error instanceof PlatformError && error.code !== 'credentials_refused') return [];
      throw error;
    });
    const { comments, missing } = readThread(site, post, question, answers, rest);
    yield* slicesOf(comments, missing);
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
    const [tag] = asTexts(unescaped(question?.tags));
    if (tag === undefined)
      throw new PlatformError('target_not_found', `There is no such question on ${post.site}`);
    return { type: 'forum', name: `${post.site}/${tag}` };
  }

  fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    return eachSite(STACKEXCHANGE_PREFIX, ids, async (site, numbers) => {
      const items = await this.api.readItems('questions', site, numbers, session);
      return items.flatMap((item) => readQuestion(site, item) ?? []);
    });
  }

  /** Deleted content is missing from the answers, without a word. */
  private findGone(
    ids: readonly string[],
    session: PlatformSession,
    kind: 'post' | 'comment',
  ): Promise<string[]> {
    return eachSite(STACKEXCHANGE_PREFIX, ids, async (site, numbers) => {
      const kindOf = (number: string) =>
        kind === 'post' ? 'questions' : number.startsWith(COMMENT_MARK) ? 'comments' : 'answers';
      const shown = new Set<string | null>();
      for (const [items, some] of groupBy(numbers, kindOf)) {
        const own = some.map((number) => number.replace(COMMENT_MARK, ''));
        for (const item of await this.api.readItems(items, site, own, session)) shown.add(numberOf(item));
      }
      const gone = numbers.filter((number) => !shown.has(number));
      return gone.map((number) => siteId(STACKEXCHANGE_PREFIX, site, number));
    });
  }

  close(): Promise<void> {
    this.requestor.close();
    return Promise.resolve();
  }
}
