import { parseEnvironment } from '../config/environment.js';
import { welcome } from './launcher.js';
import { isSingleProcess, planService } from './service-plan.js';
import { sandboxVariables } from './service.js';

const plan = (given: NodeJS.ProcessEnv) => planService(parseEnvironment(given), given);
const OWN_SERVERS = { DATABASE_URL: 'postgres://u@db/x', REDIS_URL: 'redis://cache' };
const OWN_PLATFORM = {
  PLATFORM_CLIENT_ID: 'id',
  PLATFORM_CLIENT_SECRET: 'secret',
  PLATFORM_USER_AGENT: 'agent',
};

describe('planService', () => {
  it('starts everything when nothing is given, with the API in its own process', () => {
    expect(plan({})).toEqual({
      postgres: true,
      redis: true,
      sandbox: true,
      processes: [['api'], ['worker', 'scheduler']],
    });
  });

  it('starts an ephemeral service as one process', () => {
    expect(planService(parseEnvironment({}), {}, { isEphemeral: true }).processes).toEqual([
      ['api', 'worker', 'scheduler'],
    ]);
  });

  it('starts only the server that is not given', () => {
    expect(plan({ DATABASE_URL: OWN_SERVERS.DATABASE_URL })).toMatchObject({ postgres: false, redis: true });
  });

  it.each([
    ['credentials', OWN_PLATFORM],
    ['an address', { PLATFORM_BASE_URL: 'http://127.0.0.1:9' }],
    ['an archive', { ARCHIVE_BASE_URL: 'http://127.0.0.1:9' }],
    ['feeds', { REDDIT_FEEDS: 'true' }],
    ['a database', { DATABASE_URL: OWN_SERVERS.DATABASE_URL }],
    ['no scraping here', { ROLES: 'api,scheduler' }],
  ])('does not start the synthetic platform: %s', (_case, given) => {
    expect(plan(given).sandbox).toBe(false);
  });

  it('is a single process on an additional machine of an installation', () => {
    expect(isSingleProcess(plan({ ...OWN_SERVERS, ...OWN_PLATFORM, ROLES: 'worker' }))).toBe(true);
    expect(isSingleProcess(plan({ ...OWN_SERVERS, ...OWN_PLATFORM }))).toBe(false);
    expect(isSingleProcess(plan({ ...OWN_SERVERS, ROLES: 'worker' }))).toBe(true);
  });
});

describe('sandboxVariables', () => {
  it("keeps an operator's own archive", () => {
    expect(sandboxVariables('http://s', { ARCHIVE_BASE_URL: 'http://own' }).ARCHIVE_BASE_URL).toBe(
      'http://own',
    );
    expect(sandboxVariables('http://s', {}).ARCHIVE_BASE_URL).toBe('http://s/archive');
  });

  it.each([
    [{}, '1000000'],
    [{ SANDBOX_REQUESTS_PER_MINUTE: '60' }, '60'],
    [{ SANDBOX_REQUESTS_PER_MINUTE: '60', PLATFORM_REQUESTS_PER_MINUTE: '30' }, '30'],
  ])('limits scrapes when requested: %j', (given, expected) => {
    expect(sandboxVariables('http://s', given).PLATFORM_REQUESTS_PER_MINUTE).toBe(expected);
  });
});

describe('welcome', () => {
  const service = { apiUrl: null, metricsUrls: [], sandboxUrl: 'http://127.0.0.1:9' };

  it('says that only Reddit is synthetic, and until when', () => {
    expect(welcome(service, null, null)).toMatch(
      /^Reddit +synthetic \(http:\/\/127\.0\.0\.1:9\) until PLATFORM_CLIENT_ID is set; all other sources are real$/m,
    );
    expect(welcome({ ...service, sandboxUrl: null }, null, null)).not.toContain('synthetic');
  });

  it('shows addresses and the first key, but not the addresses of the servers', () => {
    const service = {
      apiUrl: 'http://127.0.0.1:3000',
      metricsUrls: ['http://127.0.0.1:3000/metrics', 'http://127.0.0.1:40123/metrics'],
      sandboxUrl: null,
      databaseUrl: 'postgres://u:hidden@h/d',
      redisUrl: 'redis://:hidden@h',
      adminToken: 'hidden',
    };
    const text = welcome(service, { workspaceId: 'w', apiKey: 'rp_key' }, 'http://127.0.0.1:3000/sign-in#x');
    expect(text).toContain('http://127.0.0.1:3000/docs');
    expect(text).toMatch(
      /^Metrics +http:\/\/127\.0\.0\.1:3000\/metrics {2}http:\/\/127\.0\.0\.1:40123\/metrics$/m,
    );
    expect(text).toContain('rp_key (shown only once; lost: npm run workspace -- key w)');
    expect(text).toMatch(/^Sign in +http:\/\/127\.0\.0\.1:3000\/sign-in#x \(once, within 15 minutes\)$/m);
    expect(welcome(service, null, null)).not.toContain('Sign in');
    expect(text).not.toContain('hidden');
  });
});
