import { jest } from '@jest/globals';
import { TimeoutError, withTimeout } from './timeout.js';

const never = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('settles as the work does, and leaves no timer behind', async () => {
    expect(await withTimeout(Promise.resolve(1), 1_000, 'late')).toBe(1);
    await expect(withTimeout(Promise.reject(new Error('broken')), 1_000, 'late')).rejects.toThrow('broken');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fails with the given error when the work has not settled in time', async () => {
    const late = expect(withTimeout(never, 1_000, 'late')).rejects.toMatchObject({
      message: 'late',
      code: 'ETIMEDOUT',
    });
    const own = expect(withTimeout(never, 1_000, () => new RangeError('own'))).rejects.toThrow(RangeError);
    await jest.advanceTimersByTimeAsync(1_000);
    await Promise.all([late, own]);
    expect(new TimeoutError('late')).toBeInstanceOf(Error);
  });
});
