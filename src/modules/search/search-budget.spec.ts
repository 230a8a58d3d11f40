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

  it('is within its budget up to three seconds, and beyond it after them', () => {
    budget.spend('a', 3_000);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is counted for each workspace on its own', () => {
    budget.spend('a', 4_000);
    expect(budget.isExceeded('b')).toBe(false);
  });

  it('becomes available again by a quarter of a second in each second', () => {
    budget.spend('a', 3_500);
    secondsLater(1.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 1);
    expect(budget.isExceeded('a')).toBe(true);
  });

  it('is within its budget again 12 seconds after any use', () => {
    budget.spend('a', 1_000_000);
    secondsLater(11.9);
    expect(budget.isExceeded('a')).toBe(true);
    secondsLater(0.1);
    expect(budget.isExceeded('a')).toBe(false);
  });

  it('is not saved up by a workspace that did not search for long', () => {
    budget.spend('a', 1);
    secondsLater(3_600);
    budget.spend('a', 3_001);
    expect(budget.isExceeded('a')).toBe(true);
  });
});
