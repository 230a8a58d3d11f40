import { Injectable } from '@nestjs/common';
import { newOwnerName } from '../../common/ids.js';
import { LeaseLost, whileLeased, WorkPaused } from '../../common/leased-work.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { Problem } from '../../http/problems/problem.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { ExportDto } from './dto/export-job.dto.js';
import { ExportUpload, UploadFailed } from './destination/export-upload.js';
import { EXPORT_SLOTS } from './export-copy.js';
import { ExportExecutor } from './export-executor.js';
import type { ExportJob } from './export-job.entity.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { type ClaimedExport, ExportLeasesRepository } from './export-leases.repository.js';
import { ExportMetrics } from './export-metrics.js';
import { RecurringExportsRepository } from './recurring/recurring-exports.repository.js';

const POLL_MS = 1_000;
/** Lease duration: after this time other workers can take over the export of a killed worker. */
const LEASE_MS = 10_000;
const MAX_ATTEMPTS = 5;
const RETRY_MS = 5_000;
const WAITING_WORKSPACES = 100;
/** Exports that a process writes or copies to their destinations. */
const MAX_HELD = 16;

/**
 * Claims exports while there are free slots, and executes them. Exports are found by polling Postgres, not through a
 * queue.
 */
@Injectable()
export class ExportWorker extends RepeatedWork {
  private readonly running = new Map<AbortController, Promise<void>>();
  /** Those of them that are being written. Others do not wait for a destination that is slow. */
  private readonly writing = new Set<AbortSignal>();

  constructor(
    private readonly leases: ExportLeasesRepository,
    private readonly jobs: ExportJobsRepository,
    private readonly recurring: RecurringExportsRepository,
    private readonly executor: ExportExecutor,
    private readonly upload: ExportUpload,
    private readonly quotas: QuotasService,
    private readonly inactive: InactiveWorkspaces,
    private readonly transactions: TransactionRunner,
    private readonly retrying: RetryingTransactions,
    private readonly outbox: OutboxRepository,
    private readonly metrics: ExportMetrics,
  ) {
    super(POLL_MS, 'export claim failed');
  }

  /** Releases running exports, so that other workers need not wait for their leases to expire. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    for (const aborter of this.running.keys()) aborter.abort(new WorkPaused());
    await Promise.all(this.running.values());
  }

  override async work(): Promise<boolean> {
    if (this.writing.size >= EXPORT_SLOTS || this.running.size >= MAX_HELD) return false;
    const owner = newOwnerName();
    const claimed = await this.claim(owner);
    if (claimed === null) return false;
    const aborter = new AbortController();
    this.writing.add(aborter.signal);
    const ended = this.complete(claimed, owner, aborter).finally(() => {
      this.running.delete(aborter);
      this.endWriting(aborter.signal);
    });
    this.running.set(aborter, ended);
    return true;
  }

  private endWriting(signal: AbortSignal): void {
    this.writing.delete(signal);
    this.loop.wake();
  }

  /**
   * Claims the next export of an active workspace that is below its quota of running exports. Workspaces with the
   * fewest running exports come first.
   */
  private claim(owner: string): Promise<ClaimedExport | null> {
    return this.transactions.run(async (tx) => {
      await this.leases.lockClaims(tx);
      const waiting = await this.leases.findWaiting(this.inactive.ids, WAITING_WORKSPACES, tx);
      for (const { workspaceId, id, running } of waiting) {
        const limit = await this.quotas.limit(workspaceId, 'running_exports');
        if (limit !== 0 && running >= limit) continue;
        const claimed = await this.leases.claim(workspaceId, id, { owner, leaseMs: LEASE_MS }, tx);
        if (claimed !== null) return claimed;
      }
      return null;
    });
  }

  /** Never throws: an export that could not be ended is claimed again when its lease expires. */
  private async complete(claimed: ClaimedExport, owner: string, aborter: AbortController): Promise<void> {
    const { workspaceId, id } = claimed.job;
    const lease = { workspaceId, id, owner };
    await whileLeased(
      {
        prolong: () => this.leases.prolong(lease, LEASE_MS),
        isSuspended: () => this.inactive.has(workspaceId),
        onError: (error) => this.logger.warn({ err: error, exportId: id }, 'heartbeat failed'),
      },
      aborter,
      async () => {
        const outcome = await this.outcomeOf(claimed, owner, aborter.signal);
        if (outcome === 'lost') this.logger.log({ workspaceId, exportId: id }, 'export execution lost');
        else if (outcome === 'paused') await this.leases.release(lease, { countsAttempt: false, delayMs: 0 });
        else if (outcome === 'broken off')
          await this.leases.release(lease, { countsAttempt: true, delayMs: RETRY_MS });
        else await this.end(workspaceId, id, owner, outcome);
      },
    ).catch((error: unknown) =>
      this.logger.error({ err: error, workspaceId, exportId: id }, 'export execution left unfinished'),
    );
  }

  private async outcomeOf(
    { job, isOfThisDatabase }: ClaimedExport,
    owner: string,
    signal: AbortSignal,
  ): Promise<Outcome | 'lost' | 'paused' | 'broken off'> {
    if (job.changedSince !== null && !isOfThisDatabase) return failed(RESTORED);
    // The workers of earlier attempts died before they could record a failure, for example because they ran out of
    // memory.
    if (job.attempts > MAX_ATTEMPTS) return failed(BROKE_OFF);
    try {
      await this.executor.execute(job, owner, signal);
      this.endWriting(signal);
      await this.upload.upload(job, signal);
      return { status: 'completed', errorMessage: null };
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof LeaseLost) return 'lost';
      if (reason instanceof WorkPaused) return 'paused';
      if (reason instanceof UploadFailed) return failed(reason.message);
      if (reason instanceof Problem && reason.code === 'quota_exceeded') return failed(reason.detail);
      this.logger.error({ err: error, workspaceId: job.workspaceId, exportId: job.id }, 'export broke off');
      // Every part recorded in the meantime has reset the count.
      const { attempts } = (await this.jobs.find(job.workspaceId, job.id)) ?? job;
      return attempts >= MAX_ATTEMPTS ? failed(BROKE_OFF) : 'broken off';
    }
  }

  private async end(workspaceId: string, id: string, owner: string, outcome: Outcome): Promise<void> {
    const ended = await this.retrying.run(new AbortController().signal, async (tx) => {
      const job = await this.leases.end(workspaceId, id, owner, outcome, tx);
      if (job === null) return null;
      if (job.recurringId !== null) await this.recurring.recordRun(job.recurringId, job, tx);
      if (job.status === 'completed') {
        const data = ExportDto.from(job, await this.jobs.listParts(workspaceId, [id]));
        const event = {
          uniqueKey: `export:${id}:ended`,
          subjectId: id,
          data,
        } as const;
        await this.outbox.append(workspaceId, { type: 'export.completed', ...event }, tx);
      }
      return job;
    });
    if (ended === null) return;
    this.metrics.count(outcome.status);
    this.logger.log({
      msg: 'export ended',
      workspaceId,
      exportId: id,
      status: outcome.status,
      durationMs: durationOf(ended),
    });
  }
}

type Outcome = Pick<ExportJob, 'errorMessage'> & { status: 'completed' | 'failed' };

const RESTORED =
  'The database was restored since the export was requested. Create one without incremental_from.';
const BROKE_OFF = `The export failed ${MAX_ATTEMPTS} times in a row. The service log has the cause. Create a new export.`;

const failed = (errorMessage: string): Outcome => ({ status: 'failed', errorMessage });

const durationOf = ({ startedAt, completedAt }: ExportJob): number =>
  completedAt!.getTime() - startedAt!.getTime();
