import { RefilledBudget } from './refilled-budget.js';

describe('the budget of a tenant', () => {
  let now = 0;
  let budget: RefilledBudget;
  const secondsLater = (seconds: number): void => {
    now += seconds * 1_000;
  };

  beforeEach(() => {
    now = 0;
    budget = new RefilledBudget({ burst: 3_000, refillPerSecond: 250, maxExcess: 3_000 }, () => now);
  });

  it('is exceeded by more than the burst', () => {
    budget.spend('a', 3_000);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is counted separately for each tenant', () => {
    budget.spend('a', 4_000);
    expect(budget.isExceeded('b')).toBe(false);
  });

  it('is refilled over time', () => {
    budget.spend('a', 3_500);
    secondsLater(1.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is never exceeded by more than the maximum', () => {
    budget.spend('a', 1_000_000);
    secondsLater(11.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
  });

  it('does not accumulate while a tenant uses nothing', () => {
    budget.spend('a', 1);
    secondsLater(3_600);
    budget.spend('a', 3_001);
    expect(budget.isExceeded('a')).toBe(true);
  });
});
