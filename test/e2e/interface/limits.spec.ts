import { jest } from '@jest/globals';
import { Problem } from '../../../src/http/problems/problem.js';
import { FAILURES_PER_WINDOW } from '../../../src/infrastructure/rate-limit/request-limits.js';
import { PROMPT_REFUSALS } from '../../../src/infrastructure/rate-limit/refusal-delay.js';
import { RequestTurns } from '../../../src/infrastructure/rate-limit/request-turns.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { RequestCounter } from '../../../src/tenants/usage/request-counter.js';
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

  it('count down by key, then refuse with 429 and say when to retry', async () => {
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

  it('refuse all keys of a workspace that have together sent ten times as many', async () => {
    const [many, other] = [await service.createWorkspace(), await service.createWorkspace()];
    const counter = service.app.get(RequestCounter);
    const ask = ({ path, apiKey }: TestWorkspace) =>
      client.get<{ code: string; detail: string }>(path('/jobs'), { key: apiKey });
    for (let sent = 0; sent < 49; sent += 1) counter.count(many.workspaceId);
    expect((await ask(many)).status).toBe(200);
    await counter.lastMinute(many.workspaceId);
    const { status, headers, body } = await ask(many);
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(body.detail).toContain('limit of 50 requests per minute');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await ask(other)).status).toBe(200);
  });

  it('delay refusals by a second for a key that continues after a hundred', async () => {
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

  it('turn failed authentications of an address into 429, and do not affect valid keys', async () => {
    const guess = async () => (await client.get(workspace.path('/jobs'), { key: 'rp_guess' })).status;
    // A window may end meanwhile, so twice as many are allowed for.
    let allowed = 0;
    for (let statuses: number[] = []; !statuses.includes(429) && allowed < 2 * FAILURES_PER_WINDOW;) {
      statuses = await Promise.all(Array.from({ length: 30 }, guess));
      allowed += statuses.filter((status) => status !== 429).length;
    }
    expect(allowed).toBeGreaterThanOrEqual(FAILURES_PER_WINDOW);
    expect(await guess()).toBe(429);
    expect((await client.post('/api/v1/session', { api_key: `rp_${'a'.repeat(46)}` })).status).toBe(429);
    const other = await service.createWorkspace();
    expect((await client.get(other.path('/jobs'), { key: other.apiKey })).status).toBe(200);
  });
});

describe('a service whose limits are off', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ API_RATE_LIMIT_PER_MINUTE: '0' });
    workspace = await service.createWorkspace();
  });

  const ask = (key: string) =>
    new ContractClient(service).get<{ code?: string }>(workspace.path('/jobs'), { key });

  it('shows no RateLimit headers', async () => {
    const { headers } = await ask(workspace.apiKey);
    expect(headers.get('ratelimit-limit')).toBeNull();
  });

  it('lets only requests with an accepted key wait for the turn of their workspace', async () => {
    const enter = jest.spyOn(service.app.get(RequestTurns), 'enter');
    expect((await ask('rp_guess')).status).toBe(401);
    expect(enter).not.toHaveBeenCalled();
    enter.mockRejectedValueOnce(new Problem('rate_limited', 'Too many are waiting.'));
    expect((await ask(workspace.apiKey)).body.code).toBe('rate_limited');
    expect(enter).toHaveBeenCalledWith(workspace.workspaceId, expect.anything());
    expect((await ask(workspace.apiKey)).status).toBe(200);
  });
});
