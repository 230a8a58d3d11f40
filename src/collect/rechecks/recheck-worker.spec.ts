import { Logger } from '@nestjs/common';
import { RecheckWorker } from './recheck-worker.js';
import { withFakes } from '../../../test/support/with-fakes.js';

const NOW = new Date('2026-06-30T12:00:00Z');
const HOUR_MS = 3_600_000;

describe('RecheckWorker', () => {
  let claims: unknown[][];
  let postponed: Date[];
  let added: { ids: string[]; dueAt: Date }[];
  let pages: (string | null)[];

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => {
    claims = [];
    postponed = [];
    added = [];
    pages = [];
  });

  const aWorker = (hours: number, check: () => Promise<void>, workspaces: string[] = []): RecheckWorker =>
    withFakes(
      RecheckWorker,
      { RECHECK_DELETED_HOURS: hours },
      { lookups: () => new Map([['reddit', {}]]) },
      {
        listIds: (after: string | null, limit: number) => {
          pages.push(after);
          const from = after === null ? 0 : workspaces.indexOf(after) + 1;
          return Promise.resolve(workspaces.slice(from, from + limit));
        },
      },
      { ids: ['suspended'] },
      {
        claim: (...claim: unknown[]) => {
          claims.push(claim);
          return Promise.resolve({ workspaceId: 'w', source: 'reddit', kind: 'posts' });
        },
        postpone: (_w: string, _key: object, dueAt: Date) => Promise.resolve(postponed.push(dueAt)),
        addMissing: (ids: string[], _sources: string[], dueAt: Date) =>
          Promise.resolve(added.push({ ids, dueAt })),
      },
      { check },
      { now: () => Promise.resolve(NOW) },
    );

  it('repeats a failed batch after five minutes, a stopped one immediately', async () => {
    const worker = aWorker(48, () => Promise.reject(new Error('away')));
    expect(await worker.checkNext()).toBe(true);
    await worker.beforeApplicationShutdown();
    await worker.checkNext();
    expect(postponed.map((dueAt) => dueAt.getTime() - NOW.getTime())).toEqual([300_000, 0]);
  });

  it('leases a batch only from platforms with lookup and active workspaces', async () => {
    await aWorker(48, () => Promise.resolve()).checkNext();
    const leaseUntil = new Date(NOW.getTime() + 600_000);
    expect(claims).toEqual([[['reddit'], ['suspended'], { now: NOW, leaseUntil }]]);
  });

  it('adds all workspaces, a thousand at a time', async () => {
    const workspaces = Array.from({ length: 2_000 }, (_, index) => `w${index}`);
    await aWorker(100, () => Promise.resolve(), workspaces).addWorkspaces();
    expect(pages).toEqual([null, 'w999', 'w1999']);
    expect(added.flatMap(({ ids }) => ids)).toEqual(workspaces);
    expect(added.map(({ dueAt }) => dueAt.getTime() - NOW.getTime())).toEqual(Array(3).fill(90 * HOUR_MS));
  });

  it('does nothing when RECHECK_DELETED_HOURS is 0', async () => {
    const worker = aWorker(0, () => Promise.resolve());
    worker.onApplicationBootstrap();
    await worker.beforeApplicationShutdown();
    expect(claims).toEqual([]);
  });
});
