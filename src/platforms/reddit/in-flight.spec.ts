import type { PlatformSession } from '../platform.js';
import { InFlight, REQUESTS_AT_ONCE } from './in-flight.js';

const sessionOf = (workspaceId: string): PlatformSession => ({
  workspaceId,
  priority: 'normal',
  signal: new AbortController().signal,
  onRequest: () => undefined,
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the requests of a session that are under way', () => {
  let inFlight: InFlight;
  let session: PlatformSession;
  let entered: string[];
  const enter = (name: string, goesFirst = false): void =>
    void inFlight.enter(session, goesFirst).then(() => entered.push(name));

  beforeEach(async () => {
    inFlight = new InFlight();
    session = sessionOf('w');
    entered = [];
    for (let at = 0; at < REQUESTS_AT_ONCE; at++) await inFlight.enter(session, false);
  });

  it('are bounded, and as many again when they have ended', async () => {
    enter('one more');
    await settled();
    expect(entered).toEqual([]);
    for (let at = 0; at < REQUESTS_AT_ONCE; at++) inFlight.leave(session);
    for (let at = 0; at < REQUESTS_AT_ONCE; at++) enter(`${at}`);
    await settled();
    expect(entered).toHaveLength(REQUESTS_AT_ONCE);
    expect(entered).toContain('one more');
  });

  it('leave their places to links of a chain first, then in order', async () => {
    enter('tree');
    enter('another tree');
    enter('next page', true);
    for (let at = 0; at < 3; at++) {
      inFlight.leave(session);
      await settled();
    }
    expect(entered).toEqual(['next page', 'tree', 'another tree']);
  });

  it('take no place of another session', async () => {
    await inFlight.enter(sessionOf('w'), false);
  });
});
