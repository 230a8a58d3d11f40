import { FAILURES_PER_WINDOW } from '../../../src/infrastructure/rate-limit/request-limits.js';
import { PROMPT_REFUSALS } from '../../../src/infrastructure/rate-limit/refusal-delay.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { ContractClient } from '../../support/contract.js';

describe('rate limits', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    service = await startTestApplication({ API_RATE_LIMIT_PER_MINUTE: '5' });
    workspace = await service.createWorkspace();
    client = new ContractClient(service);
  });
  afterAll(() => service.close());

  it('count down by key, then refuse with 429 and tell when to come back', async () => {
    const ask = () => client.get<{ code: string }>(workspace.path('/jobs'), { key: workspace.apiKey });
    for (const remaining of ['4', '3', '2', '1', '0']) {
      const { status, headers } = await ask();
      expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        200,
        '5',
        remaining,
      ]);
    }
    const { status, headers, body } = await ask();
    expect([status, body.code, headers.get('ratelimit-remaining')]).toEqual([429, 'rate_limited', '0']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit-reset')).toBe(headers.get('retry-after'));
    // Another key has its own count.
    const other = await service.createWorkspace();
    expect((await client.get(other.path('/jobs'), { key: other.apiKey })).status).toBe(200);
  });

  it('refuse a key that goes on after a hundred refusals a second later, and serve others meanwhile', async () => {
    const [stubborn, other] = [await service.createWorkspace(), await service.createWorkspace()];
    const ask = async ({ path, apiKey }: TestWorkspace) =>
      (await client.get(path('/jobs'), { key: apiKey })).status;
    const prompt = await Promise.all(Array.from({ length: 5 + PROMPT_REFUSALS }, () => ask(stubborn)));
    expect(prompt.filter((status) => status === 429)).toHaveLength(PROMPT_REFUSALS);
    const order: number[] = [];
    const late = ask(stubborn).then((status) => order.push(status));
    for (let served = 0; served < 5; served += 1) order.push(await ask(other));
    await late;
    expect(order).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('turn failed authentications of an address into 429, and leave valid keys alone', async () => {
    const guess = async () => (await client.get(workspace.path('/jobs'), { key: 'rp_guess' })).status;
    // A window may end on the way, so as many again are allowed for.
    let allowed = 0;
    for (let statuses: number[] = []; !statuses.includes(429) && allowed < 2 * FAILURES_PER_WINDOW;) {
      statuses = await Promise.all(Array.from({ length: 30 }, guess));
      allowed += statuses.filter((status) => status === 401).length;
    }
    expect(allowed).toBeGreaterThanOrEqual(FAILURES_PER_WINDOW);
    expect(await guess()).toBe(429);
    expect((await client.post('/api/v1/session', { api_key: `rp_${'a'.repeat(46)}` })).status).toBe(429);
    const other = await service.createWorkspace();
    expect((await client.get(other.path('/jobs'), { key: other.apiKey })).status).toBe(200);
  });
});

describe('a service whose limits are off', () => {
  it('shows no RateLimit headers', async () => {
    const service = await startTestApplication({ API_RATE_LIMIT_PER_MINUTE: '0' });
    try {
      const workspace = await service.createWorkspace();
      const client = new ContractClient(service, workspace.apiKey);
      const { headers } = await client.get(workspace.path('/jobs'));
      expect(headers.get('ratelimit-limit')).toBeNull();
    } finally {
      await service.close();
    }
  });
});
