import {
  type BudgetSession,
  type BudgetStore,
  type Grant,
  QueuedRequestBudget,
  type WindowUpdate,
} from './request-budget.js';

const GRANTED: Grant = { index: 0, waitMs: 0, freeInMs: 0 };
const by = (workspaceId: string, signal = new AbortController().signal): BudgetSession => ({
  workspaceId,
  priority: 'normal',
  signal,
});
const nextTick = () => new Promise((done) => setImmediate(done));

/** A store whose answers the test controls, and a budget over it that never wakes by itself. */
function answered(): {
  budget: QueuedRequestBudget;
  answer: (grant: Grant) => void;
  updates: WindowUpdate[];
} {
  const answers: ((grant: Grant) => void)[] = [];
  const updates: WindowUpdate[] = [];
  const store: BudgetStore = {
    grant: () => new Promise((resolve) => answers.push(resolve)),
    update: (update) => Promise.resolve(void updates.push(update)),
    limitTo: () => undefined,
  };
  const budget = new QueuedRequestBudget(store, () => new Promise(() => undefined));
  return { budget, answer: (grant) => answers.shift()!(grant), updates };
}

describe('the queue of a budget', () => {
  it('calls the store again at once when something changed during the call', async () => {
    const { budget, answer } = answered();
    const first = budget.acquire(by('a'));
    const second = budget.acquire(by('b'));
    answer({ index: -1, waitMs: 60_000, freeInMs: 60_000 });
    await nextTick();
    answer(GRANTED);
    await first;
    await nextTick();
    answer(GRANTED);
    await second;
  });

  it('does not count a granted request that is no longer sent', async () => {
    const { budget, answer, updates } = answered();
    const gone = new AbortController();
    const cancelled = expect(budget.acquire(by('a', gone.signal))).rejects.toThrow('gone');
    gone.abort(new Error('gone'));
    await cancelled;
    answer(GRANTED);
    await nextTick();
    const sent = budget.acquire(by('a'));
    answer(GRANTED);
    await sent;
    budget.report({ remaining: 5, used: 1, reset: 30 }, 200);
    expect(updates).toEqual([{ remaining: 5, endsInMs: 30_000 }]);
  });
});
