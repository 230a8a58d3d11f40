import { ConfigurationError, parseEnvironment, unknownVariables, VARIABLES } from './environment.js';
import { editDistance, OWN_PREFIXES } from './misspelled-variables.js';

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
      { ADMIN_TOKEN: 'two words' },
      'ADMIN_TOKEN must consist of visible ASCII characters without spaces, since it is sent in a header',
    ],
    [
      { PLATFORM_CLIENT_ID: 'id', PLATFORM_CLIENT_SECRET: 'secret' },
      'PLATFORM_USER_AGENT must be set together with PLATFORM_CLIENT_ID, e.g. to "server:my-scraper:1.0 (by /u/me)"; the platform blocks clients without one',
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

describe('a misspelled variable', () => {
  it.each([
    ['PLATFORM_REQUEST_PER_MINUTE', 'PLATFORM_REQUESTS_PER_MINUTE'],
    ['PLATFORM_CLIENTID', 'PLATFORM_CLIENT_ID'],
    ['WEBHOOK_TIMEOUT', 'WEBHOOK_TIMEOUT_MS'],
    ['API_RATELIMIT_PER_MINUTE', 'API_RATE_LIMIT_PER_MINUTE'],
    ['OUTBOUND_ALLOWED_CIDR', 'OUTBOUND_ALLOWED_CIDRS'],
  ])('%s is rejected with %s', (name, nearest) => {
    expect(refusal({ [name]: '1' })).toBe(
      `${name} is not a variable of this service; set ${nearest} or unset it`,
    );
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

  it('is found by edit distance', () => {
    expect(editDistance('kitten', 'sitting')).toBe(3);
    expect(editDistance('', 'abc')).toBe(3);
    expect(editDistance('same', 'same')).toBe(0);
  });
});
