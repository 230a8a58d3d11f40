import type { StoredRequest } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { withFakes } from '../../../test/support/with-fakes.js';

const OWNER = { workspaceId: 'w', apiKeyId: 'k', key: 'key' };
const FINGERPRINT = Buffer.from('request');
const LIMITS = { limit: () => Promise.resolve(0), register: () => undefined };
const PENDING = { fingerprint: FINGERPRINT, status: null, sealed_body: null };

it('keeps responses for a day, and requests without one for a minute', async () => {
  const begun: unknown[] = [];
  const pruned: unknown[][] = [];
  const requests = {
    begin: (_workspaceId: string, ...given: unknown[]) => {
      begun.push(...given);
      return Promise.resolve('lease');
    },
    deleteExpired: (...given: [number, number]) => Promise.resolve(pruned.push(given) === 1 ? 1_000 : 999),
  };
  const service = withFakes(IdempotencyService, requests, {}, {}, LIMITS, { add: () => undefined });
  expect(await service.begin(OWNER, FINGERPRINT)).toEqual({ held: { ...OWNER, lease: 'lease' } });
  expect(begun).toEqual([
    OWNER,
    FINGERPRINT,
    { keptMs: 86_400_000, leaseMs: 60_000 },
    { keys: Infinity, bytes: Infinity },
  ]);
  expect([await service.pruneBatch(), await service.pruneBatch()]).toEqual([true, false]);
  expect(pruned[0]).toEqual([86_400_000, 1_000]);
});

describe('a repeat with a key that is taken', () => {
  const begin = (stored: StoredRequest | null): Promise<unknown> =>
    withFakes(
      IdempotencyService,
      {
        begin: () => Promise.resolve(null),
        find: () => Promise.resolve(stored),
        usage: () => Promise.resolve({ keys: 0, bytes: 0 }),
      },
      {},
      { open: (sealed: string) => sealed },
      LIMITS,
      { add: () => undefined },
    ).begin(OWNER, FINGERPRINT);

  it.each([
    ['is being processed', PENDING, 'idempotency_conflict'],
    ['has just failed', null, 'idempotency_conflict'],
    ['was a different one', { ...PENDING, fingerprint: Buffer.from('other') }, 'idempotency_key_reused'],
  ])('is rejected when the first request %s', async (_what, stored, code) => {
    await expect(begin(stored)).rejects.toMatchObject({ code });
  });

  it('gets the stored response', async () => {
    const answer = await begin({ ...PENDING, status: 201, sealed_body: '{"id":1}' });
    expect(answer).toEqual({ answer: { status: 201, body: { id: 1 } } });
  });
});
