import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RetryingTransactions } from '../../database/retrying-transactions.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import { Problem } from '../../http/problems/problem.js';
import type { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import type { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { EXPORT_SLOTS } from './export-copy.js';
import { LeaseLost } from '../../common/leased-work.js';
import type { ExportExecutor } from './export-executor.js';
import type { ExportJob } from './export-job.entity.js';
import type { ExportJobsRepository } from './export-jobs.repository.js';
import type { ClaimedExport, ExportLeasesRepository, WaitingExport } from './export-leases.repository.js';
import { type ExportUpload, UploadFailed } from './destination/export-upload.js';
import type { ExportMetrics } from './export-metrics.js';
import type { RecurringExportsRepository } from './recurring/recurring-exports.repository.js';
import { ExportWorker } from './export-worker.js';

const TX = {} as EntityManager;

/** An export as the worker claims it. */
const claimOf = (more: Partial<ExportJob> = {}, isOfThisDatabase = true): ClaimedExport => ({
  job: {
    workspaceId: 'w',
    id: 'e',
    changedSince: null,
    recurringId: null,
    destinationUrl: null,
    attempts: 1,
    ...more,
  } as ExportJob,
  isOfThisDatabase,
});

/** A worker whose exports wait in a list and are written by `execute`. */
class Setup {
  waiting: WaitingExport[] = [{ workspaceId: 'w', id: 'e', running: 0 }];
  claimed = claimOf();
  /** `attempts` of the record after an execution has failed. */
  attempts: number | null = null;
  limit = 2;
  isInactive = false;
  isHeld = true;
  /** Whether the worker still holds the lease when it ends an export. */
  isEnding = false;
  /** The durations for which it took or renewed a lease. */
  readonly leasedMs: number[] = [];
  /** The worker's actions, in order. */
  readonly log: unknown[] = [];
  execute: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  upload: () => Promise<void> = () => Promise.resolve();
  private seen: () => void = () => undefined;

  readonly worker: ExportWorker;

  constructor() {
    const leases: Pick<
      ExportLeasesRepository,
      'lockClaims' | 'findWaiting' | 'claim' | 'prolong' | 'release' | 'end'
    > = {
      lockClaims: () => Promise.resolve(),
      findWaiting: () => Promise.resolve(this.waiting),
      claim: (_workspace, id, { leaseMs }) => {
        this.leasedMs.push(leaseMs);
        this.waiting = this.waiting.filter((one) => one.id !== id);
        this.note('claim', id);
        return Promise.resolve(this.claimed);
      },
      prolong: (_lease, leaseMs) => {
        this.leasedMs.push(leaseMs);
        return Promise.resolve(this.isHeld);
      },
      release: (_lease, how) => Promise.resolve(this.note('release', how)),
      end: (_workspace, _id, _owner, { status, errorMessage }) => {
        this.note('end', status, errorMessage);
        const at = new Date(0);
        return Promise.resolve(
          this.isEnding
            ? { ...this.claimed.job, status, errorMessage, startedAt: at, completedAt: at }
            : null,
        );
      },
    };
    const jobs: Pick<ExportJobsRepository, 'find' | 'listParts'> = {
      find: () =>
        Promise.resolve(this.attempts === null ? null : { ...this.claimed.job, attempts: this.attempts }),
      listParts: () => Promise.resolve([]),
    };
    const executor: Pick<ExportExecutor, 'execute'> = {
      execute: (_job, _owner, signal) => {
        this.note('execute');
        return this.execute(signal);
      },
    };
    const run = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> => work(TX);
    this.worker = new ExportWorker(
      leases as ExportLeasesRepository,
      jobs as ExportJobsRepository,
      {
        recordRun: (recurringId, { id, status }) =>
          Promise.resolve(this.note('recorded', recurringId, id, status)),
      } as Partial<RecurringExportsRepository> as RecurringExportsRepository,
      executor as ExportExecutor,
      { upload: () => this.upload() } as Partial<ExportUpload> as ExportUpload,
      { limit: () => Promise.resolve(this.limit) } as Partial<QuotasService> as QuotasService,
      { ids: [], has: () => this.isInactive } as unknown as InactiveWorkspaces,
      { run } as TransactionRunner,
      {
        run: <T>(_signal: AbortSignal, work: (tx: EntityManager) => Promise<T>) => run(work),
      } as RetryingTransactions,
      {
        append: (workspaceId, { type, uniqueKey, subjectId }) =>
          Promise.resolve(this.note('event', workspaceId, type, uniqueKey, subjectId)),
      } as Partial<OutboxRepository> as OutboxRepository,
      { count: (status) => this.note('counted', status) } as Partial<ExportMetrics> as ExportMetrics,
    );
  }

  /** Starts the worker and resolves to its log once the log contains the entry. */
  async until(entry: string): Promise<unknown[]> {
    const reached = new Promise<void>((resolve) => {
      this.seen = () => {
        if (this.log.some((one) => (one as unknown[])[0] === entry)) resolve();
      };
    });
    this.worker.onApplicationBootstrap();
    await reached;
    await this.worker.beforeApplicationShutdown();
    return this.log;
  }

  private note(...entry: unknown[]): void {
    this.log.push(entry);
    this.seen();
  }
}

describe('the export worker', () => {
  let setup: Setup;
  beforeEach(() => (setup = new Setup()));
  beforeAll(() => void Logger.overrideLogger(false));
  afterAll(() => void Logger.overrideLogger(['log', 'error', 'warn', 'debug', 'verbose', 'fatal']));

  const untilStopped = async (signal: AbortSignal): Promise<void> => {
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason as Error;
  };

  it('completes an export after writing it', async () => {
    expect(await setup.until('end')).toEqual([['claim', 'e'], ['execute'], ['end', 'completed', null]]);
  });

  it('appends an event for a completed export, and none for a failed one', async () => {
    setup.isEnding = true;
    expect(await setup.until('counted')).toEqual([
      ['claim', 'e'],
      ['execute'],
      ['end', 'completed', null],
      ['event', 'w', 'export.completed', 'export:e:ended', 'e'],
      ['counted', 'completed'],
    ]);
    setup = new Setup();
    setup.isEnding = true;
    setup.execute = () => Promise.reject(new Problem('quota_exceeded', 'media_bytes is 10'));
    expect(await setup.until('counted')).toEqual([
      ['claim', 'e'],
      ['execute'],
      ['end', 'failed', 'media_bytes is 10'],
      ['counted', 'failed'],
    ]);
  });

  it('skips workspaces that already run as many exports as they may', async () => {
    setup.waiting = [
      { workspaceId: 'full', id: 'first', running: 2 },
      { workspaceId: 'fuller', id: 'second', running: 3 },
      { workspaceId: 'w', id: 'third', running: 1 },
    ];
    expect(await setup.until('end')).toContainEqual(['claim', 'third']);
    expect(setup.log).not.toContainEqual(['claim', 'first']);
    expect(setup.log).not.toContainEqual(['claim', 'second']);
  });

  it('claims without a limit when the quota is 0', async () => {
    setup.limit = 0;
    setup.waiting = [{ workspaceId: 'w', id: 'e', running: 50 }];
    expect(await setup.until('end')).toContainEqual(['claim', 'e']);
  });

  it('writes one export per slot, and releases them on shutdown', async () => {
    setup.waiting = ['1', '2', '3', '4'].map((id) => ({ workspaceId: 'w', id, running: 0 }));
    let running = 0;
    const full = new Promise<void>((resolve) => {
      setup.execute = (signal) => {
        running += 1;
        if (running === EXPORT_SLOTS) setImmediate(resolve);
        return untilStopped(signal);
      };
    });
    setup.worker.onApplicationBootstrap();
    await full;
    await setup.worker.beforeApplicationShutdown();
    expect(running).toBe(EXPORT_SLOTS);
    const released = setup.log.filter((one) => (one as unknown[])[0] === 'release');
    expect(released).toEqual(
      Array.from({ length: EXPORT_SLOTS }, () => ['release', { countsAttempt: false, delayMs: 0 }]),
    );
  });

  it('writes others while some wait for their destinations, sixteen at most', async () => {
    const ids = Array.from({ length: 20 }, (_, id) => String(id));
    setup.waiting = ids.map((id) => ({ workspaceId: 'w', id, running: 0 }));
    let waiting = 0;
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const full = new Promise<void>((resolve) => {
      setup.upload = () => {
        if (++waiting === 16) setImmediate(resolve);
        return stopped;
      };
    });
    setup.worker.onApplicationBootstrap();
    await full;
    expect(setup.waiting).toHaveLength(4);
    stop();
    await setup.worker.beforeApplicationShutdown();
  });

  it('releases an export without counting the attempt when its workspace is suspended', async () => {
    setup.isInactive = true;
    setup.execute = untilStopped;
    expect(await setup.until('release')).toContainEqual(['release', { countsAttempt: false, delayMs: 0 }]);
  });

  it('aborts an export at the heartbeat that finds its lease lost', async () => {
    setup.isHeld = false;
    const reason = new Promise<unknown>((resolve) => {
      setup.execute = (signal) =>
        untilStopped(signal).catch((error: unknown) => {
          resolve(error);
          throw error;
        });
    });
    setup.worker.onApplicationBootstrap();
    expect(await reason).toBeInstanceOf(LeaseLost);
    await setup.worker.beforeApplicationShutdown();
    expect(setup.leasedMs).toEqual([10_000, 10_000]);
    expect(setup.log).toEqual([['claim', 'e'], ['execute']]);
  });

  it('changes nothing of an export whose lease it has lost', async () => {
    setup.execute = () => Promise.reject(new LeaseLost());
    expect(await setup.until('execute')).toEqual([['claim', 'e'], ['execute']]);
  });

  it('retries a failed export later', async () => {
    setup.claimed = claimOf({ attempts: 4 });
    setup.execute = () => Promise.reject(new Error('the disk is gone'));
    expect(await setup.until('release')).toContainEqual(['release', { countsAttempt: true, delayMs: 5_000 }]);
  });

  it('fails an export after five failures in a row', async () => {
    setup.claimed = claimOf({ attempts: 5 });
    setup.execute = () => Promise.reject(new Error('the disk is gone'));
    expect(await setup.until('end')).toContainEqual([
      'end',
      'failed',
      expect.stringContaining('failed 5 times in a row'),
    ]);
  });

  it('retries an export after its fifth failure if it has recorded a part in between', async () => {
    setup.claimed = claimOf({ attempts: 5 });
    setup.attempts = 1;
    setup.execute = () => Promise.reject(new Error('the disk is gone'));
    expect(await setup.until('release')).toContainEqual(['release', { countsAttempt: true, delayMs: 5_000 }]);
  });

  it('fails an export without executing it after five workers have died', async () => {
    setup.claimed = claimOf({ attempts: 6 });
    expect(await setup.until('end')).toEqual([
      ['claim', 'e'],
      ['end', 'failed', expect.stringContaining('failed 5 times in a row')],
    ]);
  });

  it('fails an export that exceeds its quota, with the reason', async () => {
    setup.execute = () => Promise.reject(new Problem('quota_exceeded', 'media_bytes is 10'));
    expect(await setup.until('end')).toContainEqual(['end', 'failed', 'media_bytes is 10']);
  });

  it.each(['completed', 'failed'] as const)(
    'records a %s run of a recurring export as such',
    async (status) => {
      setup.isEnding = true;
      setup.claimed = claimOf({ recurringId: 'r', attempts: status === 'failed' ? 6 : 1 });
      expect(await setup.until('recorded')).toContainEqual(['recorded', 'r', 'e', status]);
    },
  );

  it('fails an export whose files cannot be copied, with the reason', async () => {
    setup.upload = () => Promise.reject(new UploadFailed('The receiver answered 403'));
    expect(await setup.until('end')).toContainEqual([
      'end',
      'failed',
      'The files could not be copied to the destination, but can be downloaded here. The receiver answered 403.',
    ]);
  });

  it('fails an incremental export if the database was restored meanwhile', async () => {
    setup.claimed = claimOf({ changedSince: '7' }, false);
    expect(await setup.until('end')).toEqual([
      ['claim', 'e'],
      ['end', 'failed', expect.stringContaining('The database was restored')],
    ]);
  });

  it('writes an export of all rows even if the database was restored in the meantime', async () => {
    setup.claimed = claimOf({}, false);
    expect(await setup.until('end')).toContainEqual(['end', 'completed', null]);
  });
});
