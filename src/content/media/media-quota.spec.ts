import type { EntityManager } from 'typeorm';
import { Problem } from '../../http/problems/problem.js';
import type { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { MediaFile } from './media-file.entity.js';
import { MediaQuota } from './media-quota.js';
import { MediaRefused } from './media-store.js';
import type { MediaRepository } from './media.repository.js';

const LIMIT = 1_000;
const FILE = { size: 200 } as MediaFile;
/** The quota whose usage was registered last, and that usage. */
let registered: [string, Promise<number>];

/**
 * The quota of a workspace whose files, including the inserted one, total this many bytes; null when the file is
 * already stored.
 */
const quotaAt = (used: number | null, limit = LIMIT): MediaQuota =>
  new MediaQuota(
    {
      register: (quota: string, used: (workspaceId: string) => Promise<number>) =>
        (registered = [quota, used('w')]),
      limit: () => Promise.resolve(limit),
      refusal: (...[code, values, remedy]: Parameters<QuotasService['refusal']>) =>
        new Problem(code, `${JSON.stringify(values)} ${remedy}`),
    } as unknown as QuotasService,
    {
      totalBytes: () => Promise.resolve(used),
      insert: () => Promise.resolve(used),
    } as unknown as MediaRepository,
  );

describe('MediaQuota', () => {
  it('reports the bytes of all files as the usage of the quota', async () => {
    quotaAt(7);
    const [quota, used] = registered;
    expect([quota, await used]).toEqual(['media_bytes', 7]);
  });

  it.each([
    ['fills the quota exactly', LIMIT, LIMIT],
    ['is already stored', null, LIMIT],
    ['has no quota to exceed', 10 * LIMIT, 0],
  ])('accepts a file that %s', async (_what, used, limit) => {
    await expect(quotaAt(used, limit).insert('w', FILE, {} as EntityManager)).resolves.toBeUndefined();
  });

  it('refuses a file that exceeds the quota by one byte', async () => {
    const refused = quotaAt(LIMIT + 1).insert('w', FILE, {} as EntityManager);
    await expect(refused).rejects.toThrow(MediaRefused);
    await expect(refused).rejects.toThrow(`"used":${LIMIT + 1 - FILE.size}`);
  });

  it('returns the remaining bytes, and refuses when none remain', async () => {
    expect(await quotaAt(LIMIT - 1).remaining('w')).toBe(1);
    expect(await quotaAt(LIMIT, 0).remaining('w')).toBe(Infinity);
    await expect(quotaAt(LIMIT).remaining('w')).rejects.toThrow(MediaRefused);
  });
});
