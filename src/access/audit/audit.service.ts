import { Injectable, Logger } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { timeCursorAfter, timePositionOf } from '../../http/pages/time-cursor.js';
import {
  type AuditFilter,
  type AuditOutcome,
  AuditRepository,
  type ListedEntry,
  type NewAuditEntry,
} from './audit.repository.js';

/** A change that is about to be made. */
export type Change = Omit<NewAuditEntry, 'id'>;

/**
 * The audit log. An entry is written before its change and completed afterwards, so that no change goes unrecorded: if
 * the process is killed in between, an entry without an outcome remains.
 */
@Injectable()
export class AuditService {
  private readonly logger = new Logger(AuditService.name);

  constructor(private readonly entries: AuditRepository) {}

  /** Records that a change is about to be made; returns the entry's id. If this throws, the change must not be made. */
  async begin(change: Change): Promise<string> {
    const id = newId();
    await this.entries.insert({ ...change, id });
    return id;
  }

  /** Records something that has already ended, with its status. */
  async record(event: Change, status: number): Promise<void> {
    await this.entries.insert({ ...event, id: newId() }, status);
  }

  /** Records how a change ended. Never throws, because the change has already been made. */
  async finish(id: string, outcome: AuditOutcome): Promise<void> {
    await this.entries
      .finish(id, outcome)
      .catch((error: unknown) =>
        this.logger.error({ err: error, auditId: id, ...outcome }, 'outcome not audited'),
      );
  }

  /** Removes the entry of a change that was rejected, since nothing changed. Never throws. */
  async discard(id: string): Promise<void> {
    await this.entries
      .discard(id)
      .catch((error: unknown) => this.logger.error({ err: error, auditId: id }, 'audit entry not removed'));
  }

  /** Records a command's change around its execution; `resultOf` names what was changed. */
  async around<T>(
    change: Change,
    work: () => Promise<T>,
    resultOf: (result: T) => Partial<AuditOutcome> = () => ({}),
  ): Promise<T> {
    const id = await this.begin(change);
    try {
      const result = await work();
      await this.finish(id, { status: 0, targetWorkspaceId: null, resource: {}, ...resultOf(result) });
      return result;
    } catch (error) {
      await this.finish(id, { status: 1, targetWorkspaceId: null, resource: {} });
      throw error;
    }
  }

  /** Entries, newest first. Throws 400 `invalid_cursor`. */
  async list(
    filter: AuditFilter,
    { limit, cursor = '' }: { limit: number; cursor?: string },
  ): Promise<{ entries: ListedEntry[]; cursor: string; hasMore: boolean }> {
    // The names of keys may change between two pages.
    const question = ['audit', { ...filter, actorNames: undefined }];
    const found = await this.entries.list(filter, timePositionOf(cursor, question), limit + 1);
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    return {
      entries,
      cursor: last === undefined ? cursor : timeCursorAfter({ time: last.position, id: last.id }, question),
      hasMore: found.length > limit,
    };
  }
}
