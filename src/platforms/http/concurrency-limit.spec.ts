import type { PlatformSession } from '../platform.js';
import { REQUESTS_AT_ONCE, SessionConcurrencyLimit } from './concurrency-limit.js';

const sessionOf = (workspaceId: string): PlatformSession => ({
  workspaceId,
  priority: 'normal',
  signal: new AbortController().signal,
  onRequest: () => undefined,
});
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the concurrency limit of a session', () => {
  let limit: SessionConcurrencyLimit;
  let session: PlatformSession;
  let started: string[];
  let finish: (() => void)[];
  const start = (name: string, isUrgent = false, of = session): void =>
    void limit
      .run(of, isUrgent, () => {
        started.push(name);
        return new Promise<void>((done) => finish.push(done));
      })
      .catch(() => undefined);

  beforeEach(async () => {
    limit = new SessionConcurrencyLimit();
    session = sessionOf('w');
    started = [];
    finish = [];
    for (let at = 0; at < REQUESTS_AT_ONCE; at++) start('running');
    await nextTick();
    started = [];
  });

  it('is eight requests', async () => {
    const other = sessionOf('w');
    for (let at = 0; at < 9; at++) start(`${at}`, false, other);
    await nextTick();
    expect(started).toHaveLength(8);
  });

  it('starts the next requests when the running ones have ended', async () => {
    start('one more');
    await nextTick();
    expect(started).toEqual([]);
    for (const done of finish.splice(0)) done();
    for (let at = 0; at < REQUESTS_AT_ONCE; at++) start(`${at}`);
    await nextTick();
    expect(started).toHaveLength(REQUESTS_AT_ONCE);
    expect(started).toContain('one more');
  });

  it('starts urgent requests first, then the others in order', async () => {
    start('tree');
    start('another tree');
    start('next page', true);
    for (let at = 0; at < 3; at++) {
      finish.shift()!();
      await nextTick();
    }
    expect(started).toEqual(['next page', 'tree', 'another tree']);
  });

  it('frees the slot of a request that failed', async () => {
    const failing = new SessionConcurrencyLimit();
    for (let at = 0; at < 3 * REQUESTS_AT_ONCE; at++)
      await expect(failing.run(session, false, () => Promise.reject(new Error('reset')))).rejects.toThrow(
        'reset',
      );
  });

  it('counts every session separately', async () => {
    start('other', false, sessionOf('w'));
    await nextTick();
    expect(started).toEqual(['other']);
  });
});
