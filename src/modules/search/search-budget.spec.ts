import { SearchBudget } from './search-budget.js';

describe('the search time of a workspace', () => {
  let now = 0;
  let budget: SearchBudget;
  /** Runs a search that uses so much of the budget. */
  const spend = (workspaceId: string, ms: number): void => budget.spend(workspaceId, ms + 20);
  const secondsLater = (seconds: number): void => {
    now += seconds * 1_000;
  };

  beforeEach(() => {
    now = 0;
    budget = new SearchBudget(() => now);
  });

  it('is within budget up to three seconds and exceeds it after that', () => {
    spend('a', 3_000);
    expect(budget.isExceeded('a')).toBe(false);
    spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is counted separately for each workspace', () => {
    spend('a', 4_000);
    expect(budget.isExceeded('b')).toBe(false);
  });

  it('is refilled by a quarter of a second each second', () => {
    spend('a', 3_500);
    secondsLater(1.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
    spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is within budget again 12 seconds after any use', () => {
    spend('a', 1_000_000);
    secondsLater(11.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
  });

  it('does not accumulate while a workspace does not search', () => {
    spend('a', 1);
    secondsLater(3_600);
    spend('a', 3_001);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is not used by searches of up to 20 ms, however many', () => {
    for (let search = 0; search < 1_000; search += 1) budget.spend('a', 20);
    spend('a', 3_000);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 21);
    expect(budget.isExceeded('a')).toBe(true);
  });
});
