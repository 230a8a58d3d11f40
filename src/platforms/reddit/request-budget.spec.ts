import { type BudgetSession, InProcessRequestBudget, parseRateLimit } from './request-budget.js';

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

/** A clock that only the test moves; whoever sleeps is woken when its moment has come. */
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
    await settled();
  }
}
const settled = () => new Promise((done) => setImmediate(done));

describe('the budget of one process', () => {
  let clock: HandClock;
  let admitted: string[];
  const budgetOf = (perMinute: number) => new InProcessRequestBudget(perMinute, clock.now, clock.sleep);
  const ask = (budget: InProcessRequestBudget, session: BudgetSession) =>
    budget.acquire(session).then(() => void admitted.push(session.workspaceId));

  beforeEach(() => {
    clock = new HandClock();
    admitted = [];
  });

  it('lets everybody through while there is budget, and never more than it within a minute', async () => {
    const budget = budgetOf(100);
    for (let at = 0; at < 250; at++) void ask(budget, by('w'));
    await settled();
    expect(admitted).toHaveLength(100);
    await clock.forward(59_999);
    expect(admitted).toHaveLength(100);
    await clock.forward(1);
    expect(admitted).toHaveLength(200);
    await clock.forward(60_000);
    expect(admitted).toHaveLength(250);
  });

  it('stops at what the window has left, counting what is on its way, until the window ends', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 3, used: 97, reset: 30 }, 200);
    for (let at = 0; at < 10; at++) void ask(budget, by('w'));
    await settled();
    expect(admitted).toHaveLength(3);
    await clock.forward(30_000);
    expect(admitted).toHaveLength(10);
  });

  it('goes on when an answer tells of a new window', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 600, reset: 300 }, 200);
    void ask(budget, by('w'));
    await settled();
    expect(admitted).toHaveLength(0);
    budget.report({ remaining: 599, used: 1, reset: 600 }, 200);
    await settled();
    expect(admitted).toHaveLength(1);
  });

  it('takes an older answer of the same window for no news', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 600, reset: 300 }, 200);
    budget.report({ remaining: 1, used: 599, reset: 300 }, 200);
    void ask(budget, by('w'));
    await settled();
    expect(admitted).toHaveLength(0);
  });

  it('is not used up by answers without headers', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 1, used: 99, reset: 300 }, 200);
    for (let at = 0; at < 5; at++) {
      await ask(budget, by('w'));
      budget.report(null, 200);
    }
    expect(admitted).toHaveLength(5);
  });

  it('waits a moment where a full window says that it ends now', async () => {
    const budget = budgetOf(1_000);
    await budget.acquire(by('w'));
    budget.report({ remaining: 0, used: 1_000, reset: 0 }, 429);
    void ask(budget, by('w'));
    await settled();
    expect(admitted).toHaveLength(0);
    await clock.forward(1_000);
    expect(admitted).toHaveLength(1);
  });

  it('lets workspaces take turns, the urgent ones first', async () => {
    const budget = budgetOf(1);
    await budget.acquire(by('first'));
    for (const workspace of ['a', 'a', 'a', 'b', 'b', 'c']) void ask(budget, by(workspace));
    void ask(budget, by('urgent', 'high'));
    for (let minute = 0; minute < 7; minute++) await clock.forward(60_000);
    expect(admitted).toEqual(['urgent', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('lets a waiting caller give up at once, and spends nothing on it', async () => {
    const budget = budgetOf(1);
    await budget.acquire(by('w'));
    const giveUp = new AbortController();
    const impatient = budget.acquire(by('w', 'normal', giveUp.signal));
    void ask(budget, by('patient'));
    giveUp.abort(new Error('cancelled'));
    await expect(impatient).rejects.toThrow('cancelled');
    await expect(budget.acquire(by('w', 'normal', giveUp.signal))).rejects.toThrow('cancelled');
    await clock.forward(60_000);
    expect(admitted).toEqual(['patient']);
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
    [{ remaining: '1', used: '1', reset: '' }, null],
    [{ remaining: '-5', used: '1', reset: '3' }, null],
    [{ remaining: 'many', used: '1', reset: '3' }, null],
  ])('%j say %j', (headers, said) => expect(parseRateLimit(headers)).toEqual(said));
});
