import { beginningOf } from '../../../common/strings.js';
import type { Clock } from '../../../common/clock.js';
import type { LogLevel } from '../job-log-entry.entity.js';
import type { JobLogRepository, NewLogEntry } from './job-log.repository.js';

/** Maximum number of entries between two flushes; further ones are only counted. */
const MAX_UNSTORED = 50;
const MAX_MESSAGE = 500;

/** Buffers the log of an execution. Entries are stored with the heartbeat, so that batches do not wait for them. */
export class ExecutionLog {
  private unstored: NewLogEntry[] = [];
  private leftOut = 0;
  private storing: Promise<void> = Promise.resolve();

  constructor(
    private readonly workspaceId: string,
    private readonly jobId: string,
    private readonly clock: Clock,
  ) {}

  /** Adds an entry; `message` is one sentence for users. */
  add(level: LogLevel, event: string, message: string, details: Record<string, unknown> = {}): void {
    if (this.unstored.length >= MAX_UNSTORED) this.leftOut += 1;
    else
      this.unstored.push({
        at: this.clock.now(),
        level,
        event,
        message: beginningOf(message, MAX_MESSAGE),
        details,
      });
  }

  /**
   * Stores the entries added since the last call. Entries of a failed call are lost, because a log must not end an
   * execution.
   */
  flush(log: Pick<JobLogRepository, 'append'>): Promise<void> {
    this.storing = this.storing.catch(() => undefined).then(() => this.store(log));
    return this.storing;
  }

  private async store(log: Pick<JobLogRepository, 'append'>): Promise<void> {
    const { unstored: entries, leftOut } = this;
    if (entries.length === 0) return;
    this.unstored = [];
    this.leftOut = 0;
    if (leftOut > 0)
      entries.push({
        at: this.clock.now(),
        level: 'info',
        event: 'entries_left_out',
        message: `${leftOut} more entries of the same second were left out`,
        details: { count: leftOut },
      });
    await log.append(this.workspaceId, this.jobId, entries);
  }
}
