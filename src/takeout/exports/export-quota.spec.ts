import { Problem } from '../../http/problems/problem.js';
import type { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportQuota } from './export-quota.js';

/** The quota of a workspace with this limit whose export files total 900 bytes. */
const quotaOf = (limit: number): ExportQuota =>
  new ExportQuota(
    {
      limit: () => Promise.resolve(limit),
      refusal: (...[code, values]: Parameters<QuotasService['refusal']>) =>
        new Problem(code, JSON.stringify(values)),
    } as unknown as QuotasService,
    { storedBytes: () => Promise.resolve(900) } as Partial<ExportJobsRepository> as ExportJobsRepository,
  );

describe('ExportQuota', () => {
  it.each([
    ['fill the quota exactly', 1_000, 100],
    ['have no quota to exceed', 0, 10_000],
  ])('accepts bytes that %s', async (_what, limit, adding) => {
    await expect(quotaOf(limit).enforce('w', adding)).resolves.toBeUndefined();
  });

  it('refuses bytes that exceed the quota by one', async () => {
    await expect(quotaOf(1_000).enforce('w', 101)).rejects.toMatchObject({
      code: 'quota_exceeded',
      detail: JSON.stringify({ quota: 'media_bytes', limit: 1_000, used: 900, requested: 101 }),
    });
  });
});
