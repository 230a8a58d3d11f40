import { SearchBudget } from './search-budget.js';

describe('the search time of a workspace', () => {
  let now = 0;
  let budget: SearchBudget;
  const secondsLater = (seconds: number): void => {
    now += seconds * 1_000;
  };

  beforeEach(() => {
    now = 0;
    budget = new SearchBudget(() => now);
  });

  it('is within budget up to three seconds and exceeds it after that', () => {
    budget.spend('a', 3_000);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is counted separately for each workspace', () => {
    budget.spend('a', 4_000);
    expect(budget.isExceeded('b')).toBe(false);
  });

  it('is refilled by a quarter of a second each second', () => {
    budget.spend('a', 3_500);
    secondsLater(1.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is within budget again 12 seconds after any use', () => {
    budget.spend('a', 1_000_000);
    secondsLater(11.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
  });

  it('does not accumulate while a workspace does not search', () => {
    budget.spend('a', 1);
    secondsLater(3_600);
    budget.spend('a', 3_001);
    expect(budget.isExceeded('a')).toBe(true);
  });
});
