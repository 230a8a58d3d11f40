import { Redis } from 'ioredis';
import { MailLimits } from './mail-limits.js';

describe('the hourly limits of emails', () => {
  // Never connected, so each process counts on its own.
  const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
  const limits = MailLimits.shared(undefined, redis);
  afterAll(() => redis.disconnect());

  it('are 60 to one recipient of a workspace, whatever its letter case', async () => {
    const refusals: (string | null)[] = [];
    for (let mail = 0; mail < 61; mail += 1) refusals.push(await limits.count('a', ['x@example.org']));
    expect(refusals.lastIndexOf(null)).toBe(59);
    expect(refusals[60]).toBe('A recipient has reached the hourly email limit');
    expect(await limits.count('a', ['X@Example.org'])).toBe(refusals[60]);
    expect(await limits.count('b', ['x@example.org'])).toBeNull();
  });

  it('count another address by itself, though it has the same letters in lower case', async () => {
    for (let mail = 0; mail < 60; mail += 1) await limits.count('d', ['kim@example.org']);
    expect(await limits.count('d', ['Kim@example.org'])).not.toBeNull();
    expect(await limits.count('d', ['\u212aim@example.org'])).toBeNull();
  });

  it('are 1,000 recipients of a workspace', async () => {
    const send = (count: number) =>
      limits.count(
        'c',
        Array.from({ length: count }, (_, number) => `r${number}@example.org`),
      );
    expect([await send(999), await send(1)]).toEqual([null, null]);
    expect(await send(1)).toBe('The workspace has reached its hourly email limit');
  });
});

describe('the recipients that the operator allows', () => {
  const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
  const limits = MailLimits.shared(['kim@example.org', 'kitchen.example'], redis);
  afterAll(() => redis.disconnect());

  it.each([
    ['Kim@Example.org', true],
    ['anybody@KITCHEN.example', true],
    ['\u212aim@example.org', false],
    ['anybody@\u212aitchen.example', false],
  ])('include %s: %s', (recipient, isAllowed) => {
    expect(limits.isAllowed(recipient)).toBe(isAllowed);
  });
});
