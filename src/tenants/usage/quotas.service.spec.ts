import { jest } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { parseEnvironment } from '../../config/environment.js';
import type { WorkspacesRepository } from '../workspaces/workspaces.repository.js';
import { ConcurrencyQuotas } from './concurrency-quotas.js';
import { QuotasService } from './quotas.service.js';

const TX = {} as EntityManager;

describe('quotas', () => {
  let overrides: Record<string, number>;
  let reads: number;
  let quotas: QuotasService;

  beforeEach(() => {
    [overrides, reads] = [{}, 0];
    const find = (): Promise<Record<string, number>> => {
      reads += 1;
      return Promise.resolve(overrides);
    };
    quotas = new QuotasService(parseEnvironment({ QUOTA_WEBHOOKS: '3', QUOTA_EVENT_STREAMS: '1' }), {
      findQuotas: find,
      lockQuotas: find,
    } as unknown as WorkspacesRepository);
    quotas.register('webhooks', (_workspaceId, tx) => Promise.resolve(tx === TX ? 2 : 0));
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it.each<{ own: Record<string, number>; adding: number; remaining: number; isRefused: boolean }>([
    { own: {}, adding: 1, remaining: 1, isRefused: false },
    { own: {}, adding: 2, remaining: 1, isRefused: true },
    { own: { webhooks: 2 }, adding: 1, remaining: 0, isRefused: true },
    { own: { webhooks: 1 }, adding: 0, remaining: -1, isRefused: true },
    { own: { webhooks: 0 }, adding: 1_000, remaining: Infinity, isRefused: false },
    { own: { alerts: 0 }, adding: 2, remaining: 1, isRefused: true },
  ])('with $own refuse $adding more: $isRefused', async ({ own, adding, remaining, isRefused }) => {
    overrides = own;
    expect(await quotas.remaining('w', 'webhooks', TX)).toBe(remaining);
    const refusal = await quotas.enforce('w', 'webhooks', adding, TX).catch((error: unknown) => error);
    expect(refusal).toEqual(isRefused ? expect.objectContaining({ code: 'quota_exceeded' }) : undefined);
  });

  it('are read again after a second, or when all are shown', async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const at = async (ms: number) => {
      now.mockReturnValue(ms);
      await jest.advanceTimersByTimeAsync(10);
    };
    const limit = () => quotas.limit('w', 'event_streams');
    expect([await limit(), await limit(), reads]).toEqual([1, 1, 1]);
    overrides = { event_streams: 5 };
    await at(2_000);
    expect(await limit()).toBe(1);
    await at(2_001);
    expect(await limit()).toBe(5);
    overrides = { event_streams: 6 };
    expect((await quotas.limits('w')).event_streams).toBe(6);
    expect(await limit()).toBe(6);
  });

  it('are read for a second concurrent request, not for the first', async () => {
    overrides = { concurrent_searches: 2 };
    const concurrency = new ConcurrencyQuotas(quotas);
    const enter = () => concurrency.enter('w', 'concurrent_searches');
    (await enter())();
    await enter();
    expect(reads).toBe(0);
    await enter();
    expect(reads).toBe(1);
  });

  it('let a hundred requests of a workspace wait, and refuse further ones at once', async () => {
    jest.useFakeTimers();
    overrides = { concurrent_searches: 1 };
    const concurrency = new ConcurrencyQuotas(quotas);
    let refused = 0;
    const enter = () => concurrency.enter('w', 'concurrent_searches').catch(() => (refused += 1));
    const entered = Array.from({ length: 102 }, enter);
    await jest.advanceTimersByTimeAsync(10);
    expect(refused).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    await Promise.all(entered);
    expect(refused).toBe(101);
  });

  it('of concurrent requests wait a second, except for an event stream', async () => {
    jest.useFakeTimers();
    overrides = { concurrent_searches: 1, running_exports: 1 };
    const concurrency = new ConcurrencyQuotas(quotas);
    for (const [quota, waitMs] of [
      ['concurrent_searches', 1_000],
      ['running_exports', 1_000],
      ['event_streams', 0],
    ] as const) {
      const leave = await concurrency.enter('w', quota);
      let refusal: unknown;
      const second = concurrency.enter('w', quota).catch((error: unknown) => (refusal = error));
      await jest.advanceTimersByTimeAsync(Math.max(0, waitMs - 1));
      if (waitMs > 0) expect(refusal).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(refusal).toMatchObject({ code: 'too_many_concurrent_requests' });
      await second;
      expect(concurrency.used('w', quota)).toBe(1);
      leave();
      expect(concurrency.used('w', quota)).toBe(0);
    }
  });
});
