import { describe, expect, it } from 'vitest';
import { healthOf } from './delivery-health.ts';

describe('the health of a destination', () => {
  const arrived = { status: 'delivered', error: null } as const;
  const failed = { status: 'failed', error: 'The receiver answered 500' } as const;
  const retried = { status: 'pending', error: 'timeout: No answer within 10 s' } as const;
  const waiting = { status: 'pending', error: null } as const;

  it('is good when the newest delivery arrived', () => {
    expect(healthOf([arrived, failed])).toEqual({
      outcomes: ['failed', 'arrived'],
      streak: 0,
      reason: null,
    });
  });

  it('counts what failed since the last that arrived, also what will be retried', () => {
    expect(healthOf([waiting, retried, failed, arrived, failed])).toMatchObject({
      streak: 2,
      reason: 'No answer within 10 s',
    });
  });

  it('is unknown without deliveries', () => {
    expect(healthOf([])).toEqual({ outcomes: [], streak: 0, reason: null });
  });
});
