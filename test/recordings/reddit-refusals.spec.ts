import { PlatformError, type PlatformSession, type TargetType } from '../../src/platforms/platform.js';
import { ApiClient } from '../../src/platforms/reddit/api-client.js';
import { Authorizer } from '../../src/platforms/reddit/authorizer.js';
import { readListing } from '../../src/platforms/reddit/listing-request.js';
import { RedditPlatform } from '../../src/platforms/reddit/reddit-platform.js';
import { InProcessRequestBudget } from '../../src/platforms/http/in-process-request-budget.js';
import { Requestor } from '../../src/platforms/http/requestor.js';
import { retryDependencies } from '../../src/platforms/http/with-retry.js';
import { REDDIT_RETRIES } from '../../src/platforms/reddit/refusals.js';
import { AcceleratedTime } from '../support/accelerated-time.js';
import { describeRecordings, Replay } from './replay.js';

const session: PlatformSession = {
  signal: new AbortController().signal,
  workspaceId: 'workspace',
  priority: 'normal',
  onRequest: () => undefined,
};

function platformOf(replay: Replay, scenario: string): RedditPlatform {
  const time = new AcceleratedTime();
  return new RedditPlatform({
    baseUrl: `${replay.url}/__s/${scenario}/`,
    authUrl: `${replay.url}/__s/${scenario}`,
    clientId: 'client',
    clientSecret: 'secret',
    userAgent: 'recordings-test/1.0',
    budget: new InProcessRequestBudget(1_000_000, time.now, time.sleep),
    dependencies: time.dependencies,
  });
}

async function refusalOf(run: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await run().then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PlatformError);
  return error as PlatformError;
}

describeRecordings('what the platform refused, as an operator reads it', () => {
  let replay: Replay;
  let recordedTokens: Replay;

  beforeAll(async () => {
    [replay, recordedTokens] = await Promise.all([Replay.start(), Replay.start('--token', 'recorded')]);
  });
  afterAll(() => Promise.all([replay.stop(), recordedTokens.stop()]));

  it.each<[string, TargetType, string, string, string, RegExp]>([
    ['quoted_forum_refusals', 'forum', 'recorded_private_sub', 'new', 'target_private', /private/],
    ['quoted_forum_refusals', 'forum', 'impossibl', 'hot', 'target_banned', /banned/],
    ['quoted_forum_refusals', 'forum', 'medicalgore', 'hot', 'target_gated', /gated.*graphic depictions/],
    ['quoted_forum_refusals', 'forum', 'never_was', 'new', 'target_not_found', /no forum "never_was"/],
    ['user_refused', 'user', 'never_was', 'new', 'target_not_found', /no user "never_was".*suspended/],
    ['forum_quarantined_2016', 'forum', 'ferguson', 'hot', 'target_forbidden', /quarantined/],
    ['quoted_block_pages', 'forum', 'recorded_blocked', 'new', 'blocked', /block page "[^"]{5,}"/],
    ['quoted_block_pages', 'forum', 'funny', 'top/day', 'blocked', /block page "Blocked".*USER_AGENT/],
    ['quoted_rate_limit_answers', 'forum', 'test', 'new', 'rate_limited', /still limits the request rate/],
  ])('%s: %s %s', async (scenario, type, name, listing, code, message) => {
    const platform = platformOf(replay, scenario);
    const error = await refusalOf(() =>
      platform.fetchListing({ target: { type, name }, name: listing, wanted: 100 }, null, session),
    );
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    await platform.close();
  });

  it('names an unreachable budget when the token endpoint itself answers 429', async () => {
    const platform = platformOf(recordedTokens, 'errors_429_token_endpoint');
    const error = await refusalOf(() => platform.fetchPosts(['t3_abc'], session));
    expect(error.code).toBe('rate_limited');
    await platform.close();
  });

  describe('responses to requests that no scrape sends', () => {
    async function postCountOf(from: Replay, scenario: string, path: string): Promise<number> {
      const time = new AcceleratedTime();
      const dependencies = retryDependencies(REDDIT_RETRIES, undefined, time.dependencies);
      const url = `${from.url}/__s/${scenario}`;
      const requestor = new Requestor('recordings-test/1.0');
      const credentials = { authUrl: url, clientId: 'client', clientSecret: 'secret' };
      const client = new ApiClient(
        'reddit',
        url,
        requestor,
        new Authorizer(credentials, requestor, dependencies),
        new InProcessRequestBudget(1_000_000, time.now, time.sleep),
        dependencies,
      );
      const subject = { kind: 'look-up', name: path } as const;
      try {
        const request = { method: 'GET', path, params: {}, subject } as const;
        const page = await client.fetch({ ...request, read: (json) => readListing(json, null) }, session);
        return page.posts.length;
      } finally {
        requestor.close();
      }
    }

    it('recovers from two refused tokens', async () => {
      expect(await postCountOf(recordedTokens, 'errors_401_token_refused', '/')).toBe(25);
    });

    it.each([
      ['errors_5xx_empty_bodies', '/', 'unavailable'],
      ['errors_429_html_with_retry_after', '/api/v1/me', 'rate_limited'],
      ['errors_403_scope', '/api/v1/me', 'target_forbidden'],
      ['errors_401_token_refused', '/api/v1/me', 'credentials_refused'],
      ['errors_404', '/r/recorded_test_sub/wiki/invalid', 'target_not_found'],
      ['errors_400_bodies', '/r/reddit.com/wiki/%5CA', 'bad_answer'],
      ['user_refused', '/user/spez/saved', 'target_forbidden'],
      ['user_refused', '/api/v1/user/thisusershouldnotexist/trophies', 'target_not_found'],
    ])('%s %s ends as %s', async (scenario, path, code) => {
      expect((await refusalOf(() => postCountOf(recordedTokens, scenario, path))).code).toBe(code);
    });
  });
});
