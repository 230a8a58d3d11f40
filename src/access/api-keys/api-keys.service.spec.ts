import type { EntityManager } from 'typeorm';
import { Clock, SystemClock } from '../../common/clock.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { ApiKeysRepository } from './api-keys.repository.js';
import { type ApiKey, hasExpired } from './api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';
import { generateKey, hashKey, isWellFormedKey, presentedKey } from './key-format.js';

const NOW = new Date('2026-06-30T12:00:00Z');
const after = (ms: number): Date => new Date(NOW.getTime() + ms);
class FixedClock extends Clock {
  now(): Date {
    return NOW;
  }
}

/** A service on these keys at {@link NOW}. */
const serviceOn = (keys: Partial<Record<keyof ApiKeysRepository, unknown>>): ApiKeysService =>
  new ApiKeysService(
    keys as unknown as ApiKeysRepository,
    {} as QuotasService,
    {} as TransactionRunner,
    new FixedClock(),
  );

it('looks keys up by their SHA-256', () => {
  expect(hashKey('key').toString('hex')).toBe(
    '2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683',
  );
});

it('knows the id of a key that was valid before, and of no other', async () => {
  const [valid, revoked] = [presentedKey(generateKey()), presentedKey(generateKey())];
  const service = serviceOn({
    findByHash: (hash: Buffer) =>
      Promise.resolve({ id: 'k', isActive: hash.equals(valid.hash), expiresAt: null }),
  });
  expect(service.knownId(valid)).toBeUndefined();
  await service.authenticate(valid);
  await expect(service.authenticate(revoked)).rejects.toMatchObject({ code: 'revoked_api_key' });
  expect([service.knownId(valid), service.knownId(revoked)]).toEqual(['k', undefined]);
});

describe('rolling a key', () => {
  it('expires the old key, counts and stores the new one in one transaction', async () => {
    const seen: [string, EntityManager][] = [];
    const keys = {
      expireAfter: (_workspaceId: string, _id: string, _seconds: number, tx: EntityManager) => {
        seen.push(['expireAfter', tx]);
        return Promise.resolve({ name: 'rolled', scopes: ['read'] });
      },
      insert: (_record: unknown, tx: EntityManager) => Promise.resolve(void seen.push(['insert', tx])),
      deleteEnded: (_workspaceId: string, _kept: number, tx: EntityManager) =>
        Promise.resolve(void seen.push(['deleteEnded', tx])),
    } as unknown as ApiKeysRepository;
    const quotas = {
      enforce: (_workspaceId: string, _quota: string, _count: number, tx: EntityManager) =>
        Promise.resolve(void seen.push(['enforce', tx])),
    } as unknown as QuotasService;
    const begun: EntityManager[] = [];
    const transactions = {
      run: (work: (tx: EntityManager) => unknown) => {
        begun.push({} as EntityManager);
        return work(begun.at(-1)!);
      },
    } as TransactionRunner;
    const service = new ApiKeysService(keys, quotas, transactions, new SystemClock());
    await service.roll('w', 'k', { overlapSeconds: 60, expiresAt: null, endsBy: null });
    expect(begun).toHaveLength(1);
    expect(seen.map(([name]) => name)).toEqual(['expireAfter', 'enforce', 'insert', 'deleteEnded']);
    for (const [, tx] of seen) expect(tx).toBe(begun[0]);
  });
});

describe('a key', () => {
  it('has 40 random characters and a checksum that detects a typo', () => {
    const key = generateKey();
    expect(key).toMatch(/^rp_[0-9A-Za-z]{46}$/);
    expect(generateKey()).not.toBe(key);
    expect(isWellFormedKey(key)).toBe(true);
    for (let at = 3; at < key.length; at += 1) {
      const typo = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect([typo, isWellFormedKey(typo)]).toEqual([typo, false]);
    }
  });

  it.each([
    [`rp_${'a'.repeat(40)}4eOFHk`, true],
    [`rx_${'a'.repeat(40)}4TU0XX`, false],
    [`rp_${'a'.repeat(39)}2gXWMn`, false],
    [`rp_${'a'.repeat(39)}-2OGRLn`, false],
  ])('%s, whose checksum is correct, has the format of a key: %s', (text, expected) => {
    expect(isWellFormedKey(text)).toBe(expected);
  });

  it('is looked up only when its checksum is right', async () => {
    let queries = 0;
    const service = serviceOn({
      findByHash: () => {
        queries += 1;
        return Promise.resolve(null);
      },
    });
    const refused = { code: 'invalid_api_key' };
    await expect(service.authenticate(presentedKey(`rp_${'a'.repeat(46)}`))).rejects.toMatchObject(refused);
    expect(queries).toBe(0);
    await expect(service.authenticate(presentedKey(generateKey()))).rejects.toMatchObject(refused);
    expect(queries).toBe(1);
  });

  it.each([
    [{ expiresAt: null, isActive: true }, undefined],
    [{ expiresAt: after(1), isActive: true }, undefined],
    [{ expiresAt: NOW, isActive: true }, 'expired_api_key'],
    [{ expiresAt: null, isActive: false }, 'revoked_api_key'],
    [{ expiresAt: NOW, isActive: false }, 'revoked_api_key'],
  ])('with %j is refused with %s, and shown accordingly', async (given, code) => {
    const service = serviceOn({
      findByHash: () => Promise.resolve(given),
      list: () => Promise.resolve([given]),
    });
    const answer = await service.authenticate(presentedKey(generateKey())).catch((error: unknown) => error);
    expect((answer as { code?: string }).code).toBe(code);
    expect((await service.list('w')).map(({ isActive }) => isActive)).toEqual([code === undefined]);
    expect(hasExpired(given, NOW)).toBe(given.expiresAt === NOW);
  });

  it('must expire in the future when it is created', async () => {
    const made: (Date | null)[] = [];
    const service = serviceOn({
      insert: ({ expiresAt }: ApiKey) => Promise.resolve(made.push(expiresAt)),
      deleteEnded: () => Promise.resolve(),
    });
    const create = (expiresAt?: Date) =>
      service.recover('w', { name: 'x', scopes: ['read'], ...(expiresAt && { expiresAt }) }, {} as never);
    await expect(create(NOW)).rejects.toMatchObject({ code: 'validation_failed' });
    await create(after(1));
    await create();
    expect(made).toEqual([after(1), null]);
  });

  it.each([
    { lastUsedAt: null, isRecorded: true },
    { lastUsedAt: after(-60_001), isRecorded: true },
    { lastUsedAt: after(-60_000), isRecorded: false },
    { lastUsedAt: NOW, isRecorded: false },
  ])('that was last used at $lastUsedAt has its use recorded: $isRecorded', async (given) => {
    const touched: unknown[][] = [];
    const service = serviceOn({ touch: (...all: unknown[]) => Promise.resolve(touched.push(all)) });
    const key = { workspaceId: 'w', id: 'k', lastUsedAt: given.lastUsedAt } as ApiKey;
    await service.recordUse(key);
    expect(touched).toEqual(given.isRecorded ? [['w', 'k', NOW, after(-60_000)]] : []);
  });
});
