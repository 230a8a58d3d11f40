import type { JobQueue } from '../jobs/job-queue.js';
import type { JobRunsRepository, OrphanJob } from '../jobs/job-runs.repository.js';
import { ScrapeReconciler } from './scrape-reconciler.js';

describe('reconciling', () => {
  let rounds: ((orphans: OrphanJob[]) => void)[];
  let queued: string[];
  let reconciler: ScrapeReconciler;

  beforeEach(() => {
    rounds = [];
    queued = [];
    const runs = { orphans: () => new Promise<OrphanJob[]>((resolve) => rounds.push(resolve)) };
    const queue = {
      enqueue: (_workspaceId: string, _id: string, entryId: string) => {
        queued.push(entryId);
        return Promise.resolve(true);
      },
    };
    reconciler = new ScrapeReconciler(runs as unknown as JobRunsRepository, queue as unknown as JobQueue);
  });

  const job = (id: string, leaseEnd: string | null = null): OrphanJob => ({ workspaceId: 'w', id, leaseEnd });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('queues what no worker has, a job of a dead worker under another name', async () => {
    const done = reconciler.reconcile();
    rounds[0]!([job('a'), job('b', '17.5')]);
    await done;
    expect(queued).toEqual(['a', 'b@17.5']);
  });

  it('looks once more when a slot got free during a round, however many did', async () => {
    const first = reconciler.reconcile();
    const later = [reconciler.reconcile(), reconciler.reconcile()];
    rounds[0]!([]);
    await settled();
    expect(rounds).toHaveLength(2);
    rounds[1]!([job('waited')]);
    await Promise.all([first, ...later]);
    expect(queued).toEqual(['waited']);
    expect(rounds).toHaveLength(2);
  });
});
