import type { StoredRequest } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';

/** Fakes of the constructor arguments, as far as these tests use them. */
type Dependencies = ConstructorParameters<typeof IdempotencyService>;

const OWNER = { workspaceId: 'w', apiKeyId: 'k', key: 'key' };
const FINGERPRINT = Buffer.from('request');
const PENDING = { fingerprint: FINGERPRINT, status: null, sealed_body: null };

describe('a repeat with a key that is taken', () => {
  const begin = (stored: StoredRequest | null): Promise<unknown> =>
    new IdempotencyService(
      ...([
        { begin: () => Promise.resolve(false), find: () => Promise.resolve(stored) },
        {},
        { open: (sealed: string) => sealed },
        { add: () => undefined },
      ] as unknown as Dependencies),
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
    expect(answer).toEqual({ status: 201, body: { id: 1 } });
  });
});
