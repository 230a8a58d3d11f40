import { jest } from '@jest/globals';
import { ClaimFailures } from './claim-failures.js';

describe('ClaimFailures', () => {
  let failures: ClaimFailures;

  beforeEach(() => {
    jest.useFakeTimers();
    failures = new ClaimFailures();
  });
  afterEach(() => void jest.useRealTimers());

  const failAfter = (ms: number, message = 'away'): void => {
    jest.advanceTimersByTime(ms);
    failures.add(new Error(message));
  };

  it('tell of claims that have failed for two seconds, with the last reason', () => {
    failAfter(0);
    failAfter(1_999);
    expect(failures.current()).toBeNull();
    failAfter(1, 'permission denied\nSTATEMENT: SELECT');
    expect(failures.current()).toEqual({ seconds: 2, reason: 'permission denied' });
  });

  it('count from the first failure after the last success', () => {
    failAfter(0);
    failures.end();
    failAfter(3_000);
    expect(failures.current()).toBeNull();
    failAfter(2_000);
    expect(failures.current()!.seconds).toBe(2);
  });

  it('keep a reason short', () => {
    failAfter(0, 'x'.repeat(1_000));
    jest.advanceTimersByTime(2_000);
    expect(failures.current()!.reason).toHaveLength(300);
  });
});
