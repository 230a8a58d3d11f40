import type { EntityManager } from 'typeorm';
import { SystemClock } from '../../common/clock.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { QuotasService } from '../usage/quotas.service.js';
import type { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { hashKey } from './key-format.js';

it('looks keys up by their SHA-256, as earlier versions stored them', () => {
  expect(hashKey('key').toString('hex')).toBe(
    '2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683',
  );
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
    await service.roll('w', 'k', { overlapSeconds: 60, expiresAt: null });
    expect(begun).toHaveLength(1);
    expect(seen.map(([name]) => name)).toEqual(['expireAfter', 'enforce', 'insert', 'deleteEnded']);
    for (const [, tx] of seen) expect(tx).toBe(begun[0]);
  });
});
