import { jest } from '@jest/globals';
import type { Counter } from 'prom-client';
import type { PlatformSession } from '../platform.js';
import { REQUESTS_AT_ONCE } from './concurrency-limit.js';
import { LimitedSender, platformMetrics } from './limited-sender.js';
import type { RequestBudget } from './request-budget.js';
import { REQUESTOR_LIMITS, type WireRequest, type WireResponse } from './requestor.js';

const REQUEST: WireRequest = { method: 'GET', url: 'http://127.0.0.1/', body: null, authorization: null };
const ANSWER: WireResponse = {
  status: 200,
  text: '{}',
  headers: {
    location: null,
    retryAfter: null,
    remaining: null,
    used: null,
    reset: null,
    authenticate: null,
    link: null,
  },
};

const requests = platformMetrics[0] as Counter<'source' | 'status'>;

describe('LimitedSender', () => {
  const stop = new AbortController();
  let counted: number;
  let reported: number[];
  const budget: RequestBudget = {
    nextRequestAt: null,
    acquire: () => Promise.resolve(),
    report: (_headers, status) => void reported.push(status),
    limitTo: () => undefined,
  };
  const session: PlatformSession = {
    workspaceId: 'w',
    priority: 'normal',
    signal: stop.signal,
    onRequest: () => (counted += 1),
  };
  /** Requests in the metric, by status. */
  const countedByStatus = async (): Promise<Record<string, number>> => {
    const { values } = await requests.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.status), value]));
  };
  const senderOf = (send: () => Promise<WireResponse>, budget: RequestBudget | null): LimitedSender =>
    new LimitedSender('reddit', { limits: REQUESTOR_LIMITS, send }, budget);

  beforeEach(() => {
    [counted, reported] = [0, []];
    requests.reset();
  });

  it('sends nothing before the budget grants it', async () => {
    let grant = (): void => undefined;
    const acquire = () => new Promise<void>((resolve) => (grant = resolve));
    const send = jest.fn(() => Promise.resolve(ANSWER));
    const waits: number[] = [];
    const waiting = { ...session, onBudgetWait: (waitedMs: number) => void waits.push(waitedMs) };
    const sent = senderOf(send, { ...budget, acquire }).send(REQUEST, waiting, false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(send).not.toHaveBeenCalled();
    grant();
    await sent;
    expect(send).toHaveBeenCalledTimes(1);
    expect(waits).toEqual([expect.any(Number)]);
  });

  it('reports and counts every granted request, even without a response', async () => {
    const outcomes = [() => Promise.resolve(ANSWER), () => Promise.reject(new Error('reset'))];
    const sender = senderOf(() => outcomes.shift()!(), budget);
    await sender.send(REQUEST, session, false);
    await expect(sender.send(REQUEST, session, false)).rejects.toThrow('reset');
    expect(reported).toEqual([200, 0]);
    expect(await countedByStatus()).toEqual({ 200: 1, 0: 1 });
  });

  it('does not count a request whose job is cancelled while it waits', async () => {
    const finish: (() => void)[] = [];
    const sender = senderOf(() => new Promise((resolve) => finish.push(() => resolve(ANSWER))), budget);
    const sent = Array.from({ length: REQUESTS_AT_ONCE }, () => sender.send(REQUEST, session, false));
    const waiting = expect(sender.send(REQUEST, session, false)).rejects.toThrow('cancelled');
    while (finish.length < REQUESTS_AT_ONCE) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('cancelled'));
    await new Promise((resolve) => setImmediate(resolve));
    for (const done of finish.splice(0)) done();
    await waiting;
    await Promise.all(sent);
    expect(counted).toBe(REQUESTS_AT_ONCE);
    expect(await countedByStatus()).toEqual({ 200: REQUESTS_AT_ONCE });
    expect(reported.toSorted()).toEqual([0, ...Array<number>(REQUESTS_AT_ONCE).fill(200)]);
  });

  it('shows a request that has had no response for some seconds, until the response', async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    try {
      const shown: string[] = [];
      const waiting: PlatformSession = {
        ...session,
        signal: new AbortController().signal,
        onWait: ({ reason }) => {
          shown.push(`begins: ${reason}`);
          return () => void shown.push('ends');
        },
      };
      let finish = (_response: WireResponse): void => undefined;
      const sender = senderOf(() => new Promise((resolve) => (finish = resolve)), null);
      const sent = sender.send(REQUEST, waiting, false);
      await jest.advanceTimersByTimeAsync(3_999);
      expect(shown).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(shown).toEqual(['begins: retry']);
      finish(ANSWER);
      await sent;
      expect(shown).toEqual(['begins: retry', 'ends']);
      const quick = sender.send(REQUEST, waiting, false);
      await jest.advanceTimersByTimeAsync(1);
      finish(ANSWER);
      await quick;
      expect([shown.length, jest.getTimerCount()]).toEqual([2, 0]);
    } finally {
      jest.useRealTimers();
    }
  });
});
