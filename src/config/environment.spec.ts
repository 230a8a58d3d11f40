import { resolve } from 'node:path';
import { ConfigurationError, parseEnvironment, unknownVariables, VARIABLES } from './environment.js';
import {
  hasNoApplication,
  redditObstacle,
  usesArchiveAlone,
  usesFeeds,
} from './platforms/reddit-variables.js';
import { OWN_PREFIXES } from './misspelled-variables.js';
import { QUOTAS } from './quotas.js';

const refusal = (given: NodeJS.ProcessEnv): string => {
  try {
    parseEnvironment(given);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).message;
  }
  throw new Error('The configuration was accepted');
};

describe('parseEnvironment', () => {
  it.each([
    [{ PORT: 'many' }, 'PORT must be a whole number from 0 to 65535'],
    [
      { SANDBOX_CLOCK: 'tomorrow' },
      'SANDBOX_CLOCK must be "real" or a time with a zone such as 2026-11-01T00:00:00Z',
    ],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535'],
    [{ ROLES: 'api,cook' }, 'ROLES must be one of api, worker, scheduler'],
    [{ ROLES: ',' }, 'ROLES must name at least one of api, worker, scheduler'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, silent'],
    [
      { DATABASE_URL: 'mysql://h/d' },
      'DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
    ],
    [
      { OUTBOUND_ALLOWED_CIDRS: '10.0.0.0/8,intranet' },
      'OUTBOUND_ALLOWED_CIDRS has the part "intranet", which is not an address or a range such as 10.0.0.0/8',
    ],
    [
      { OUTBOUND_ALLOWED_CIDRS: '10.0.0.0/33' },
      'OUTBOUND_ALLOWED_CIDRS has the part "10.0.0.0/33", which is not an address or a range such as 10.0.0.0/8',
    ],
    [
      { WEBHOOK_RETRY_SCHEDULE: '1s,soon' },
      'WEBHOOK_RETRY_SCHEDULE has the part "soon", which is not a duration such as 5s, 30m or 2h',
    ],
    [
      { ADMIN_TOKEN: 'a'.repeat(31) },
      'ADMIN_TOKEN must have at least 32 characters, for example from: openssl rand -hex 32',
    ],
    [
      { ENCRYPTION_KEY: `${'a'.repeat(64)},${'b'.repeat(63)}` },
      'ENCRYPTION_KEY has the part 2, which is not a key of 64 hexadecimal digits (32 bytes), for example from: openssl rand -hex 32',
    ],
    [
      { ADMIN_TOKEN: `two words${'a'.repeat(32)}` },
      'ADMIN_TOKEN must consist of visible ASCII characters without spaces, since it is sent in a header',
    ],
    [
      { PLATFORM_CLIENT_ID: 'id', PLATFORM_CLIENT_SECRET: 'secret' },
      'PLATFORM_USER_AGENT must be set together with PLATFORM_CLIENT_ID, e.g. to "server:my-scraper:1.0 (by /u/me)"; Reddit blocks clients without one',
    ],
    [
      { PLATFORM_CLIENT_ID: 'id', PLATFORM_USER_AGENT: 'agent' },
      "PLATFORM_CLIENT_SECRET must be set together with PLATFORM_CLIENT_ID; Reddit's application page shows both",
    ],
    [
      { SMTP_URL: 'smtp://mail' },
      'MAIL_FROM must be set together with SMTP_URL: the sender address of alert emails',
    ],
  ])('%j: %s', (given, sentence) => {
    expect(refusal(given)).toBe(sentence);
  });

  it('names every invalid variable, one per line', () => {
    expect(refusal({ PORT: 'x', PLATFORM_CLIENT_ID: 'id', LOG_LEVEL: 'loud' }).split('\n')).toEqual([
      'The configuration is invalid:',
      '  PORT must be a whole number from 0 to 65535',
      '  LOG_LEVEL must be one of fatal, error, warn, info, debug, silent',
    ]);
  });

  it('parses addresses, ranges, durations and lists', () => {
    expect(
      parseEnvironment({
        OUTBOUND_ALLOWED_CIDRS: '127.0.0.1, 10.0.0.0/8,::1,fd00::/8',
        WEBHOOK_RETRY_SCHEDULE: '250ms,5s,30m,2h,1d',
        ROLES: 'worker, scheduler',
        PORT: '',
      }),
    ).toMatchObject({
      OUTBOUND_ALLOWED_CIDRS: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
      WEBHOOK_RETRY_SCHEDULE: [250, 5_000, 1_800_000, 7_200_000, 86_400_000],
      ROLES: ['worker', 'scheduler'],
      PORT: 3000,
    });
  });
});

describe('a variable that is not set', () => {
  it('has its documented default', () => {
    expect(parseEnvironment({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      TRUSTED_PROXIES: [],
      ROLES: ['api', 'worker', 'scheduler'],
      DATA_DIR: resolve('.data'),
      DATABASE_POOL_CONTROL: 10,
      DATABASE_POOL_SEARCH: 6,
      DATABASE_POOL_EXPORT: 3,
      DATABASE_STATEMENT_TIMEOUT_MS: 30_000,
      SEARCH_TIMEOUT_MS: 5_000,
      EXPORT_STALL_TIMEOUT_MS: 60_000,
      LOG_LEVEL: 'info',
      SECURITY_CONTACT: 'mailto:security@example.org',
      SOURCE_REQUESTS_PER_MINUTE: 60,
      SOURCE_SITES: {},
      SOURCE_IGNORE_NOINDEX: false,
      SOURCE_SHOW_NSFW: false,
      PLATFORM_BASE_URL: 'https://oauth.reddit.com',
      PLATFORM_AUTH_URL: 'https://www.reddit.com',
      PLATFORM_REQUESTS_PER_MINUTE: 100,
      BLUESKY_APPVIEW_URL: 'https://public.api.bsky.app',
      JETSTREAM_URL: 'wss://jetstream2.us-east.bsky.network/subscribe',
      STACKEXCHANGE_API_URL: 'https://api.stackexchange.com/2.3',
      HACKERNEWS_API_URL: 'https://hn.algolia.com/api/v1',
      HACKERNEWS_REQUESTS_PER_HOUR: 9_000,
      SANDBOX_SEED: 1,
      PLATFORM_MEDIA_ORIGINS: [],
      MEDIA_MIN_FREE_BYTES: 1_073_741_824,
      MEDIA_S3_REGION: 'us-east-1',
      ENCRYPTION_KEYS_LOST: [],
      OUTBOUND_ALLOWED_CIDRS: [],
      WEBHOOK_RETRY_SCHEDULE: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000],
      WEBHOOK_TIMEOUT_MS: 15_000,
      OIDC_ADMIN_EMAILS: [],
      OTEL_SERVICE_NAME: 'workspace-scraping-service',
      RECHECK_DELETED_HOURS: 48,
      JOB_RETENTION_DAYS: 90,
      AUDIT_RETENTION_DAYS: 365,
      API_RATE_LIMIT_PER_MINUTE: 600,
      ...Object.fromEntries(
        QUOTAS.all.map(({ name, default: byDefault }) => [`QUOTA_${name.toUpperCase()}`, byDefault]),
      ),
      CORS_ALLOWED_ORIGINS: [],
    });
  });
});

describe('a number', () => {
  it.each([
    ['PORT', 0, 65_535],
    ['DATABASE_POOL_CONTROL', 2, 1_000],
    ['DATABASE_POOL_SEARCH', 1, 1_000],
    ['DATABASE_POOL_EXPORT', 1, 1_000],
    ['DATABASE_STATEMENT_TIMEOUT_MS', 100, 600_000],
    ['SEARCH_TIMEOUT_MS', 100, 60_000],
    ['EXPORT_STALL_TIMEOUT_MS', 100, 600_000],
    ['PLATFORM_REQUESTS_PER_MINUTE', 1, 1_000_000],
    ['HACKERNEWS_REQUESTS_PER_HOUR', 6, 1_000_000_000],
    ['SANDBOX_SEED', 0, 4_294_967_295],
    ['SANDBOX_REQUESTS_PER_MINUTE', 1, 1_000_000],
    ['WEBHOOK_TIMEOUT_MS', 1, 120_000],
    ['RECHECK_DELETED_HOURS', 0, 2_160],
    ['JOB_RETENTION_DAYS', 0, 100_000],
    ['AUDIT_RETENTION_DAYS', 0, 100_000],
    ['API_RATE_LIMIT_PER_MINUTE', 0, 10_000_000],
  ] as const)('of %s is from %d to %d', (name, minimum, maximum) => {
    for (const value of [minimum, maximum])
      expect(parseEnvironment({ [name]: String(value) })[name]).toBe(value);
    for (const value of [minimum - 1, maximum + 1, minimum + 0.5])
      expect(refusal({ [name]: String(value) })).toBe(
        `${name} must be a whole number from ${minimum} to ${maximum}`,
      );
  });
});

describe('where posts of Reddit targets come from', () => {
  const [client, archive] = [
    { PLATFORM_CLIENT_ID: 'id', PLATFORM_CLIENT_SECRET: 'secret', PLATFORM_USER_AGENT: 'agent' },
    { ARCHIVE_BASE_URL: 'https://archive.example' },
  ];
  const synthetic = { PLATFORM_BASE_URL: 'http://127.0.0.1:1' };
  const feeds = { REDDIT_FEEDS: 'true' };

  it.each([
    { given: {}, expected: [true, false, true, false] },
    { given: synthetic, expected: [true, false, false, false] },
    { given: archive, expected: [true, true, false, false] },
    { given: { ...archive, ...synthetic }, expected: [true, false, false, false] },
    { given: client, expected: [false, false, false, false] },
    { given: { ...client, ...archive, ...synthetic }, expected: [false, false, false, false] },
    { given: feeds, expected: [true, false, false, true] },
    { given: { ...feeds, ...archive, ...synthetic }, expected: [true, false, false, true] },
    { given: { ...feeds, ...client }, expected: [false, false, false, false] },
  ])('$given: no application, archive alone, unreadable, feeds are $expected', ({ given, expected }) => {
    const environment = parseEnvironment(given);
    expect([
      hasNoApplication(environment),
      usesArchiveAlone(environment),
      redditObstacle(environment) !== null,
      usesFeeds(environment),
    ]).toEqual(expected);
  });
});

it("requires account and token of Reddit's feeds together", () => {
  const feeds = { REDDIT_FEEDS: 'true', REDDIT_FEED_USER: 'me' };
  expect(refusal(feeds)).toMatch(/^REDDIT_FEED_USER and REDDIT_FEED_TOKEN must be set together/);
  expect(() => parseEnvironment({ ...feeds, REDDIT_FEED_TOKEN: 'abc' })).not.toThrow();
});

describe('a list', () => {
  it.each([
    ['ENCRYPTION_KEY', 'A'.repeat(64), true],
    ['ENCRYPTION_KEY', 'a'.repeat(63), false],
    ['ENCRYPTION_KEY', 'a'.repeat(65), false],
    ['ENCRYPTION_KEYS_LOST', '0123abcd', true],
    ['ENCRYPTION_KEYS_LOST', '0123abcde', false],
    ['ALERT_EMAIL_ALLOWED', 'example.com,me@example.com', true],
    ['ALERT_EMAIL_ALLOWED', '@example.com', false],
    ['ALERT_EMAIL_ALLOWED', 'example..com', false],
    ['WEBHOOK_RETRY_SCHEDULE', '1.5s', true],
    ['WEBHOOK_RETRY_SCHEDULE', '5', false],
    ['WEBHOOK_RETRY_SCHEDULE', '-5s', false],
    ['PLATFORM_MEDIA_ORIGINS', 'https://a.example', true],
    ['PLATFORM_MEDIA_ORIGINS', 'ftp://a.example', false],
  ])('of %s with %s is accepted: %s', (name, text, isAccepted) => {
    if (isAccepted) expect(() => parseEnvironment({ [name]: text })).not.toThrow();
    else expect(refusal({ [name]: text })).toContain(name);
  });

  it('of ids and addresses is read in lower case', () => {
    expect(
      parseEnvironment({ ENCRYPTION_KEYS_LOST: 'ABCDEF01', ALERT_EMAIL_ALLOWED: 'Me@Example.com' }),
    ).toMatchObject({ ENCRYPTION_KEYS_LOST: ['abcdef01'], ALERT_EMAIL_ALLOWED: ['me@example.com'] });
  });

  it.each(['OIDC_ADMIN_EMAILS', 'ALERT_EMAIL_ALLOWED'])('of addresses in %s folds only A to Z', (name) => {
    const given = { [name]: 'Kate@Example.org,\u212aate@Example.org' };
    expect(parseEnvironment(given)).toMatchObject({ [name]: ['kate@example.org', '\u212aate@example.org'] });
  });
});

describe('a misspelled variable', () => {
  it.each([
    ['PLATFORM_REQUEST_PER_MINUTE', 'PLATFORM_REQUESTS_PER_MINUTE'],
    ['PLATFORM_CLIENTID', 'PLATFORM_CLIENT_ID'],
    ['WEBHOOK_TIMEOUT', 'WEBHOOK_TIMEOUT_MS'],
    ['SMTP_URI', 'SMTP_URL'],
    ['API_RATELIMIT_PER_MINUTE', 'API_RATE_LIMIT_PER_MINUTE'],
    ['OUTBOUND_ALLOWED_CIDR', 'OUTBOUND_ALLOWED_CIDRS'],
  ])('%s is rejected with %s', (name, nearest) => {
    expect(refusal({ [name]: '1' })).toBe(
      `${name} is not a variable of this service; set ${nearest} or unset it`,
    );
  });

  it('is at most three edits away from a known name of its first word', () => {
    expect(refusal({ WEBHOOK_TIMEOUT: '1' })).toContain('set WEBHOOK_TIMEOUT_MS');
    for (const name of ['WEBHOOK_TIMEOU', 'WEBHOOK_TIMEO', 'WEEBHOOK_TIMEOUT_MS', 'PORT_RT'])
      expect(() => parseEnvironment({ [name]: '1' })).not.toThrow();
  });

  it.each([
    [
      'names of other programs',
      { API_KEY: 'x', MEDIA_LIBRARY_PATH: 'x', HOSTS: 'x', NODE_ENV: 'x', PS1: 'x' },
    ],
    [
      'a similar name beside the right one',
      { DATABASE_URL: 'postgres://h/d', DATABASE_URI: 'x', REDIS_URL: 'redis://h' },
    ],
  ])('is not detected in %s', (_case, given) => {
    expect(() => parseEnvironment(given)).not.toThrow();
  });

  it('that is accepted is reported with the closest known one', () => {
    expect(
      unknownVariables({
        PLATFORM_REQUEST_PER_MINUTE: '1',
        PLATFORM_REQUESTS_PER_MINUTE: '1',
        QUOTA_HOOKS: '1',
        QUOTA_FOO: '1',
        SANDBOX_RATE: '5',
        SMTP_HOST: 'mail',
        MEDIA_LIBRARY_PATH: 'x',
        HOSTS: 'x',
      }),
    ).toEqual([
      'PLATFORM_REQUEST_PER_MINUTE is not a variable of this service and has no effect; the nearest is PLATFORM_REQUESTS_PER_MINUTE',
      'QUOTA_HOOKS is not a variable of this service and has no effect; the nearest is QUOTA_WEBHOOKS',
      'QUOTA_FOO is not a variable of this service and has no effect; the nearest is QUOTA_ALERTS',
      'SANDBOX_RATE is not a variable of this service and has no effect; the nearest is SANDBOX_SEED',
      'SMTP_HOST is not a variable of this service and has no effect; the nearest is SMTP_URL',
    ]);
  });

  it('can have any prefix that a variable has', () => {
    const prefixes = OWN_PREFIXES.map((prefix) => VARIABLES.filter((name) => name.startsWith(prefix)));
    expect(prefixes.every((names) => names.length > 0)).toBe(true);
  });
});
