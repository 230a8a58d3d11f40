import { decodedText } from '../../feed/feed-encoding.js';
import { parseObject } from '../../http/response-parsing.js';
import type { RetryPolicy } from '../../http/retry-policy.js';
import { type Attempt, unreadable } from '../../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../../platform.js';
import type { SiteClient } from '../../sites/site-client.js';
import type { PageAnswer } from '../../sites/site-page.js';
import { describeSubject, REDDIT_RETRIES, redirectRefusal, refusal, type Subject } from '../refusals.js';
import { type FeedItem, readFeedItems } from './reddit-feed-items.js';

/** The host of Reddit's feeds. */
export const FEEDS_SITE = 'www.reddit.com';
/** Entries of a feed at most. */
export const FEED_DEPTH = 100;

/** How requests for feeds are repeated: as those to the API, with different remedies. */
export const FEED_RETRIES: Omit<RetryPolicy, 'source'> = {
  rules: REDDIT_RETRIES.rules,
  remedies: {
    rate_limited: 'Lower REDDIT_FEED_REQUESTS_PER_MINUTE, or look for other programs that use this address',
    blocked: 'Check PLATFORM_USER_AGENT and the IP address of this service, or use an application',
    unauthorized: 'Check REDDIT_FEED_USER and REDDIT_FEED_TOKEN',
  },
};

/** The account in whose name feeds are read. */
export interface FeedAccount {
  user: string;
  token: string;
}

const MAX_BYTES = 8 * 1_024 * 1_024;
const MAX_REDIRECTS = 3;

/** Reads Reddit's Atom feeds, one request each. */
export class FeedDocuments {
  constructor(
    private readonly client: Pick<SiteClient, 'page'>,
    private readonly account: FeedAccount | null,
  ) {}

  /**
   * The entries of the feed at a path without its `.rss`, at most {@link FEED_DEPTH}; those after the entry `after` if
   * Reddit heeds it. Throws {@link PlatformError}, or the session's abort reason.
   */
  async read(
    path: string,
    subject: Subject,
    session: PlatformSession,
    after: string | null = null,
  ): Promise<FeedItem[]> {
    const address = new URL(`https://${FEEDS_SITE}${path}/.rss`);
    address.searchParams.set('limit', String(FEED_DEPTH));
    if (after !== null) address.searchParams.set('after', after);
    if (this.account !== null) {
      address.searchParams.set('feed', this.account.token);
      address.searchParams.set('user', this.account.user);
    }
    let at = address;
    for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
      const answer: FeedItem[] | URL = await this.client.page(
        {
          what: `the feed of ${describeSubject(subject)}`,
          address: at,
          headers: { accept: 'application/atom+xml' },
          maxBytes: MAX_BYTES,
          read: (page) => readAnswer(page, subject),
        },
        session,
      );
      if (!(answer instanceof URL)) return answer;
      at = withParameters(answer, address);
    }
    throw new PlatformError('bad_answer', `Reddit's redirects form a loop for ${describeSubject(subject)}`);
  }
}

/** The goal of a redirect within the site, asked as the first address was; redirects to other hosts are refused. */
function withParameters(goal: URL, { searchParams }: URL): URL {
  const at = new URL(`https://${FEEDS_SITE}${goal.pathname}`);
  for (const [name, value] of searchParams) at.searchParams.set(name, value);
  return at;
}

function readAnswer(page: PageAnswer, subject: Subject): Attempt<FeedItem[] | URL> {
  const { status, body, header, goal } = page;
  if (goal !== null) {
    const refused = redirectRefusal(subject, goal);
    if (refused !== null) throw refused;
    if (goal.hostname === FEEDS_SITE) return { done: true, value: goal };
    throw new PlatformError(
      'bad_answer',
      `Reddit redirects the request for ${describeSubject(subject)} to another host; such redirects are not followed`,
    );
  }
  if (status !== 200) throw refusedFeed(status, body, subject);
  const items = readFeedItems(decodedText(body, header('content-type')));
  return items === null ? unreadable('no Atom feed') : { done: true, value: items };
}

/** The reason that Reddit states decides; without one, it does not show the feed to visitors. */
function refusedFeed(status: number, body: Buffer, subject: Subject): PlatformError {
  const stated = parseObject(body.toString('utf8'));
  const isSaid = typeof stated?.reason === 'string';
  if (isSaid || !(status === 401 || status === 403 || status === 451))
    return refusal(subject, status, stated);
  return new PlatformError(
    'target_forbidden',
    `Reddit does not show the feed of ${describeSubject(subject)} (status ${status}): it may be private, quarantined, suspended or closed to programs`,
  );
}
