import { targetOf } from '../src/cli/source-check/check-world.js';
import { parseEnvironment } from '../src/config/environment.js';
import { PLATFORM_VARIABLES } from '../src/config/platforms/platform-variables.js';
import { OutboundHttpClient } from '../src/infrastructure/outbound-http/outbound-http-client.js';
import { InProcessBudgetStore } from '../src/platforms/http/in-process-request-budget.js';
import { perMinute, QueuedRequestBudget } from '../src/platforms/http/request-budget.js';
import { PlatformError, type PlatformSession } from '../src/platforms/platform.js';
import type { PlatformDefinition } from '../src/platforms/platform-definition.js';
import { SOURCES } from '../src/platforms/registry.js';
import { type Answer, HttpReceiver } from './support/receivers.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Seconds that no service means, moments far ahead in every unit, and values that are no time at all. */
const HOSTILE = [
  '999999999',
  '9999999999',
  '9999999999999',
  '9999999999999999',
  '9'.repeat(30),
  '1e30',
  '-1',
];

/** Rests in milliseconds after a refusal that states none, where the source asks for one. */
const UNSTATED_RESTS: Record<string, number> = { github: 60_000 };

/** Limits that are over, and none. */
const PAST = ['0', '1000000000', '1700000000000', '1700000000000000', ''];

const refused = (headers: Record<string, string>, body: object = {}): Answer => ({
  status: 429,
  headers,
  body: JSON.stringify(body),
});

/** The places of an answer where a source may state a limit. */
const PLACES: Record<string, (value: string) => Answer> = {
  'Retry-After': (value) => refused({ 'retry-after': value }),
  'x-ratelimit-*': (value) => ({
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': value },
    body: '{}',
  }),
  'ratelimit-*': (value) => refused({ 'ratelimit-remaining': '0', 'ratelimit-reset': value }),
  RateLimit: (value) => refused({ ratelimit: `"default";r=0;t=${value}` }),
  'the body': (value) => refused({}, { wait_seconds: Number(value) }),
  backoff: (value) => ({ body: JSON.stringify({ items: [], backoff: Number(value), quota_remaining: 5 }) }),
};

/** A source whose addresses are those of one server, and the budget that it requests within. */
class LimitedSource {
  private clock = Date.now();
  private readonly store = new InProcessBudgetStore(perMinute(1_000_000), () => this.clock);

  constructor(
    private readonly definition: PlatformDefinition,
    private readonly server: HttpReceiver,
  ) {}

  /** Reads a target while the server gives this answer to every request but those for a token. */
  async read(answer: Answer): Promise<void> {
    const token: Answer = { body: '{"access_token":"token","expires_in":3600}' };
    this.server.answerWith(({ path }) => (path.endsWith('/access_token') ? token : answer));
    const outbound = new OutboundHttpClient([]);
    const platform = this.definition.create({
      environment: parseEnvironment(this.variables()),
      userAgent: 'test/1.0',
      outbound,
      budget: () => new QueuedRequestBudget(this.store),
      logAs: () => () => undefined,
    });
    const session: PlatformSession = {
      signal: AbortSignal.timeout(20_000),
      workspaceId: 'w',
      priority: 'normal',
      isBrief: true,
      onRequest: () => undefined,
    };
    const { example, targetType } = this.definition.targets[0]!;
    const target = targetOf(this.definition, { target: example, targetType, posts: [], comments: [] });
    try {
      await platform.fetchListing({ target, name: platform.listings[0], wanted: 10 }, null, session);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
    } finally {
      await platform.close();
      outbound.close();
    }
  }

  /** Milliseconds until the next request may start, at a time after the answer. */
  async restAfter(milliseconds: number): Promise<number> {
    this.clock += milliseconds;
    return (await this.store.grant([{ workspaceId: 'w', priority: 'normal' }])).freeInMs;
  }

  /** Every address that a variable names, and the site of the example, are the server's. */
  private variables(): Record<string, string> {
    const { url } = this.server;
    const names = Object.keys(PLATFORM_VARIABLES).filter((name) => name.endsWith('_URL'));
    const site = /(?:[\w-]+\.)+\w+/.exec(this.definition.targets[0]!.example)?.[0];
    return {
      ...Object.fromEntries(names.map((name) => [name, url])),
      ...(site !== undefined && { SOURCE_SITES: `${site}=${url}` }),
      SOURCE_IGNORE_NOINDEX: 'true',
    };
  }
}

/** A new source joins by its definition. */
describe.each(SOURCES.all)('limits that $source states', (definition) => {
  let server: HttpReceiver;
  beforeEach(async () => {
    server = await HttpReceiver.start();
  });
  afterEach(() => server.close());

  it('are kept for the hour that they state', async () => {
    const rests: number[] = [];
    for (const answer of Object.values(PLACES)) {
      const source = new LimitedSource(definition, server);
      await source.read(answer('3600'));
      rests.push(await source.restAfter(0));
    }
    // Each source reads some of the places.
    expect(Math.max(...rests)).toBe(HOUR_MS);
  });

  it.each(Object.keys(PLACES))('are over after a day, whatever %s says', async (place) => {
    for (const value of HOSTILE) {
      const source = new LimitedSource(definition, server);
      await source.read(PLACES[place]!(value));
      expect(server.all).not.toEqual([]);
      expect([value, await source.restAfter(DAY_MS)]).toEqual([value, 0]);
    }
  });

  it.each(Object.keys(PLACES))('are over after a second when %s names a past time', async (place) => {
    const allowed = [0, (UNSTATED_RESTS[definition.source] ?? 1_000) - 1_000];
    for (const value of PAST) {
      const source = new LimitedSource(definition, server);
      await source.read(PLACES[place]!(value));
      const rest = await source.restAfter(1_000);
      expect([value, rest, allowed.includes(rest)]).toEqual([value, rest, true]);
    }
  });
});
