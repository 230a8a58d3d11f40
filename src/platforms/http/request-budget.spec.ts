import { getEventListeners } from 'node:events';
import { jest } from '@jest/globals';
import { InProcessBudgetStore, InProcessRequestBudget } from './in-process-request-budget.js';
import {
  type BudgetSession,
  MAX_WAITING_REQUESTS,
  parseRateLimit,
  QueuedRequestBudget,
  perMinute,
} from './request-budget.js';

const never = new AbortController().signal;
const by = (
  workspaceId: string,
  priority: BudgetSession['priority'] = 'normal',
  signal = never,
): BudgetSession => ({
  workspaceId,
  priority,
  signal,
});

/** A clock that only the test advances; sleeps end when it reaches their time. */
class HandClock {
  private current = 0;
  private sleepers: { at: number; wake: () => void }[] = [];

  readonly now = () => this.current;
  readonly sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((wake, reject) => {
      this.sleepers.push({ at: this.current + milliseconds, wake });
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });

  async forward(milliseconds: number): Promise<void> {
    this.current += milliseconds;
    const due = this.sleepers.filter((sleeper) => sleeper.at <= this.current);
    this.sleepers = this.sleepers.filter((sleeper) => sleeper.at > this.current);
    for (const sleeper of due) sleeper.wake();
    await nextTick();
  }
}
const nextTick = () => new Promise((done) => setImmediate(done));

describe('the budget of one process', () => {
  let clock: HandClock;
  let admitted: string[];
  const budgetOf = (perMinute: number) => new InProcessRequestBudget(perMinute, clock.now, clock.sleep);
  const request = (budget: InProcessRequestBudget, session: BudgetSession) =>
    budget.acquire(session).then(() => void admitted.push(session.workspaceId));

  beforeEach(() => {
    clock = new HandClock();
    admitted = [];
  });

  it('admits every request while there is budget, and none beyond it', async () => {
    const budget = budgetOf(100);
    for (let at = 0; at < 250; at++) void request(budget, by('w'));
    await nextTick();
    expect(admitted).toHaveLength(100);
    await clock.forward(59_999);
    expect(admitted).toHaveLength(100);
    await clock.forward(1);
    expect(admitted).toHaveLength(200);
    await clock.forward(60_000);
    expect(admitted).toHaveLength(250);
  });

  it('admits no more than the window has left, counting requests in flight', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 3, used: 97, reset: 30 }, 200);
    for (let at = 0; at < 10; at++) void request(budget, by('w'));
    await nextTick();
    expect(admitted).toHaveLength(3);
    await clock.forward(30_000);
    expect(admitted).toHaveLength(10);
  });

  it('assumes that the window does not yet include requests in flight', async () => {
    const budget = budgetOf(1_000);
    for (let at = 0; at < 3; at++) await budget.acquire(by('w'));
    budget.report({ remaining: 5, used: 95, reset: 30 }, 200);
    for (let at = 0; at < 10; at++) void request(budget, by('w'));
    await nextTick();
    expect(admitted).toHaveLength(3);
  });

  it('regains no request when one was refused for exceeding the window', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 100, reset: 30 }, 200);
    budget.report(null, 429);
    void request(budget, by('w'));
    await nextTick();
    expect(admitted).toEqual([]);
  });

  it('admits no more than the limit in a later minute, however many it admitted before', async () => {
    const budget = budgetOf(1_500);
    for (let at = 0; at < 1_500; at++) void request(budget, by(`${at % 2}`));
    await nextTick();
    await clock.forward(60_000);
    for (let at = 0; at < 1_600; at++) void request(budget, by(`${at % 2}`));
    await nextTick();
    expect(admitted).toHaveLength(3_000);
  });

  it('continues when a response reports a new window', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 600, reset: 300 }, 200);
    void request(budget, by('w'));
    await nextTick();
    expect(admitted).toHaveLength(0);
    budget.report({ remaining: 599, used: 1, reset: 600 }, 200);
    await nextTick();
    expect(admitted).toHaveLength(1);
  });

  it('ignores an older response of the same window', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 600, reset: 300 }, 200);
    budget.report({ remaining: 1, used: 599, reset: 300 }, 200);
    void request(budget, by('w'));
    await nextTick();
    expect(admitted).toHaveLength(0);
  });

  it('is not exhausted by responses without headers', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 1, used: 99, reset: 300 }, 200);
    for (let at = 0; at < 5; at++) {
      await request(budget, by('w'));
      budget.report(null, 200);
    }
    expect(admitted).toHaveLength(5);
  });

  it('does not wait when a window that claims to end now has a request left', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 1, used: 999, reset: 0 }, 200);
    void request(budget, by('w'));
    void request(budget, by('w'));
    await nextTick();
    expect(admitted).toHaveLength(2);
  });

  it('waits a second when a full window claims to end now', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 1_000, reset: 0 }, 429);
    void request(budget, by('w'));
    await nextTick();
    expect(admitted).toHaveLength(0);
    await clock.forward(1_000);
    expect(admitted).toHaveLength(1);
  });

  it('fails a request at once when the window ends after the longest wait', async () => {
    const budget = budgetOf(100);
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 300, reset: 7_200 }, 200);
    const low = budget.acquire(by('w', 'low'));
    await expect(budget.acquire(by('w'))).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('another 120 minutes') as unknown,
    });
    await expect(budget.acquire(by('w', 'high'))).rejects.toMatchObject({ code: 'rate_limited' });
    await clock.forward(7_200_000);
    await expect(low).resolves.toBeUndefined();
  });

  it('lets workspaces take turns, urgent requests first', async () => {
    const budget = budgetOf(1);
    await budget.acquire(by('first'));
    for (const workspace of ['a', 'a', 'a', 'b', 'b', 'c']) void request(budget, by(workspace));
    void request(budget, by('urgent', 'high'));
    await nextTick();
    for (let minute = 0; minute < 7; minute++) await clock.forward(60_000);
    expect(admitted).toEqual(['urgent', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('serves low requests while half of the budget is unused and none waits', async () => {
    const budget = budgetOf(10);
    for (let at = 0; at < 20; at++) void request(budget, by('low', 'low'));
    await nextTick();
    expect(admitted).toHaveLength(5);
    for (let at = 0; at < 8; at++) void request(budget, by('job'));
    await nextTick();
    expect(admitted.filter((workspaceId) => workspaceId === 'job')).toHaveLength(5);
    await clock.forward(60_000);
    expect(admitted.filter((workspaceId) => workspaceId === 'job')).toHaveLength(8);
    expect(admitted.filter((workspaceId) => workspaceId === 'low')).toHaveLength(7);
  });

  it('reserves requests of the window for requests that are not low', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 52, used: 48, reset: 30 }, 200);
    for (let at = 0; at < 10; at++) void request(budget, by('low', 'low'));
    await nextTick();
    expect(admitted).toHaveLength(3);
    await clock.forward(30_000);
    expect(admitted).toHaveLength(10);
  });

  it('does not count low requests as turns of a workspace', async () => {
    const budget = budgetOf(100);
    for (let at = 0; at < 3; at++) await budget.acquire(by('a', 'low'));
    budget.report({ remaining: 0, used: 100, reset: 30 }, 200);
    for (const workspace of ['a', 'b', 'b']) void request(budget, by(workspace));
    await nextTick();
    await clock.forward(30_000);
    expect(admitted).toEqual(['a', 'b', 'b']);
  });

  it('rejects an aborted request at once and spends nothing on it', async () => {
    const budget = budgetOf(1);
    await budget.acquire(by('w'));
    const abort = new AbortController();
    const aborted = budget.acquire(by('w', 'normal', abort.signal));
    void request(budget, by('other'));
    abort.abort(new Error('cancelled'));
    await expect(aborted).rejects.toThrow('cancelled');
    await expect(budget.acquire(by('w', 'normal', abort.signal))).rejects.toThrow('cancelled');
    await clock.forward(60_000);
    expect(admitted).toEqual(['other']);
  });
});

describe('the queue of waiting requests', () => {
  it('serves a workspace in its turn while another has 500 urgent requests waiting', async () => {
    const clock = new HandClock();
    const budget = new InProcessRequestBudget(1, clock.now, clock.sleep);
    const admitted: string[] = [];
    const request = (session: BudgetSession) =>
      void budget.acquire(session).then(() => admitted.push(session.workspaceId));
    for (let at = 0; at < 500; at++) request(by('hostile', 'high'));
    for (let at = 0; at < 3; at++) request(by('modest'));
    await nextTick();
    for (let minute = 0; minute < 6; minute++) await clock.forward(60_000);
    expect(admitted).toEqual(['hostile', 'modest', 'hostile', 'modest', 'hostile', 'modest', 'hostile']);
  });

  it('serves a normal request in time while new workspaces keep sending urgent ones', async () => {
    const clock = new HandClock();
    const budget = new InProcessRequestBudget(10, clock.now, clock.sleep);
    for (let at = 0; at < 10; at++) await budget.acquire(by('earlier'));
    let isServed = false;
    void budget.acquire(by('modest')).then(() => (isServed = true));
    for (let second = 0; second <= 300; second++) {
      void budget.acquire(by(`newcomer ${second}`, 'high'));
      await clock.forward(1_000);
    }
    expect(isServed).toBe(true);
  });

  it('does not accumulate turns for an idle workspace', async () => {
    const clock = new HandClock();
    const budget = new InProcessRequestBudget(1, clock.now, clock.sleep);
    for (let minute = 0; minute < 20; minute++) {
      await budget.acquire(by('busy'));
      await clock.forward(60_000);
    }
    await budget.acquire(by('busy'));
    const admitted: string[] = [];
    for (let at = 0; at < 4; at++)
      for (const workspaceId of ['busy', 'idle'])
        void budget.acquire(by(workspaceId)).then(() => admitted.push(workspaceId));
    for (let minute = 0; minute < 6; minute++) await clock.forward(60_000);
    expect(admitted.filter((workspaceId) => workspaceId === 'busy')).toHaveLength(3);
  });

  it.each([
    ['is that of the source where both hold with it', [1_000, 10_000], [180, 60_000], [180, 60_000]],
    ['is spread over its own span', [10, 10_000], [30, 60_000], [5, 10_000]],
    ['has a longer span where the share is less than a request', [2, 10_000], [5, 100_000], [1, 20_000]],
    ['stays where the source allows more', [10, 10_000], [180, 60_000], [10, 10_000]],
  ])('%s', async (_, [own, ownMs], [stated, statedMs], [requests, withinMs]) => {
    const store = new InProcessBudgetStore({ requests: own!, withinMs: ownMs! }, () => 0);
    store.limitTo({ requests: 1, withinMs: 3_600_000 });
    store.limitTo({ requests: stated!, withinMs: statedMs! });
    const grant = () => store.grant([{ workspaceId: 'w', priority: 'normal' }]);
    for (let at = 0; at < requests!; at++) expect(await grant()).toMatchObject({ index: 0 });
    expect(await grant()).toMatchObject({ index: -1, freeInMs: withinMs });
  });

  it('remembers who is ahead of the others, however many workspaces there are', async () => {
    const store = new InProcessBudgetStore(perMinute(10_000), () => 0);
    const grant = (...workspaces: string[]) =>
      store.grant(workspaces.map((workspaceId) => ({ workspaceId, priority: 'normal' })));
    for (let at = 0; at < 3; at++) await grant('busy');
    for (let at = 0; at < 1_100; at++) await grant(`other ${at}`);
    expect(await grant('busy', 'new')).toMatchObject({ index: 1 });
  });

  it('fails a request that waited too long, and spends nothing on it', async () => {
    const clock = new HandClock();
    const budget = new QueuedRequestBudget(
      new InProcessBudgetStore(perMinute(1), clock.now),
      clock.sleep,
      20,
    );
    await budget.acquire(by('w'));
    await expect(budget.acquire(by('w'))).rejects.toMatchObject({ code: 'rate_limited' });
    await clock.forward(60_000);
    await budget.acquire(by('w'));
  });

  it('refuses more waiting requests of a workspace than its limit', async () => {
    const clock = new HandClock();
    const budget = new InProcessRequestBudget(1, clock.now, clock.sleep);
    await budget.acquire(by('w'));
    for (let at = 0; at < MAX_WAITING_REQUESTS; at++) void budget.acquire(by('w'));
    await expect(budget.acquire(by('w'))).rejects.toMatchObject({ code: 'rate_limited' });
    void budget.acquire(by('other'));
  });
});

describe('a request of the budget', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('leaves neither a listener on its signal nor a timer, whether admitted or not', async () => {
    const clock = new HandClock();
    const budget = new InProcessRequestBudget(1, clock.now, clock.sleep);
    const { signal } = new AbortController();
    const gone = new AbortController();
    await budget.acquire(by('w', 'normal', signal));
    const second = budget.acquire(by('w', 'normal', signal));
    const cancelled = expect(budget.acquire(by('w', 'normal', gone.signal))).rejects.toThrow('gone');
    gone.abort(new Error('gone'));
    await cancelled;
    await nextTick();
    await clock.forward(60_000);
    await second;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('rate-limit headers', () => {
  it.each([
    [
      { remaining: '599.0', used: '1', reset: '40' },
      { remaining: 599, used: 1, reset: 40 },
    ],
    [
      { remaining: '299', used: null, reset: '0' },
      { remaining: 299, used: null, reset: 0 },
    ],
    [{ remaining: null, used: '1', reset: '40' }, null],
    [
      { remaining: '0', used: null, reset: '1772366430000' },
      { remaining: 0, used: null, reset: 30 },
    ],
    [
      { remaining: '0', used: null, reset: '2026-03-01T11:00:00Z' },
      { remaining: 0, used: null, reset: 0 },
    ],
    [
      { remaining: '1e30', used: null, reset: '604800' },
      { remaining: Number.MAX_SAFE_INTEGER, used: null, reset: 86_400 },
    ],
    [{ remaining: '0', used: null, reset: null }, null],
    [{ remaining: '0', used: null, reset: '1e30' }, null],
    [{ remaining: '0', used: null, reset: '-1' }, null],
    [{ remaining: '1', used: '1', reset: '' }, null],
    [{ remaining: '-5', used: '1', reset: '3' }, null],
    [{ remaining: 'many', used: '1', reset: '3' }, null],
  ])('%j are parsed to %j', (headers, said) =>
    expect(parseRateLimit(headers, Date.parse('2026-03-01T12:00:00Z'))).toEqual(said),
  );
});
