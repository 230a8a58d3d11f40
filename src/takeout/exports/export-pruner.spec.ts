import type { PruneBatch, Pruner } from '../../infrastructure/pruning/pruner.js';
import type { MediaStore } from '../../content/media/media-store.js';
import type { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportPruner } from './export-pruner.js';

describe('pruning of exports', () => {
  let steps: string[];
  let isStoreAway: boolean;
  let prune: PruneBatch;

  beforeEach(() => {
    steps = [];
    isStoreAway = false;
    const jobs: Pick<ExportJobsRepository, 'findExpired' | 'delete'> = {
      findExpired: () => Promise.resolve([{ workspaceId: 'w', id: 'e' }]),
      delete: async (workspaceId, id) => {
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`record ${workspaceId} ${id}`);
      },
    };
    const store: Pick<MediaStore, 'removeFolder'> = {
      removeFolder: (folder) =>
        isStoreAway
          ? Promise.reject(new Error('away'))
          : Promise.resolve(void steps.push(`files ${folder.replaceAll('/', ' ')}`)),
    };
    const pruner = { add: (_name: string, step: PruneBatch) => (prune = step) } as unknown as Pruner;
    new ExportPruner(jobs as ExportJobsRepository, store as MediaStore, pruner);
  });

  it('removes the files before the record, because only the record names them', async () => {
    expect(await prune()).toBe(false);
    expect(steps).toEqual(['files exports w e', 'record w e']);
  });

  it('keeps the record while the files cannot be removed', async () => {
    isStoreAway = true;
    await expect(prune()).rejects.toThrow('away');
    expect(steps).toEqual([]);
  });
});
