import { Injectable, Logger } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { timeCursorAfter, timePositionOf } from '../../http/time-cursor.js';
import {
  type AuditOutcome,
  AuditRepository,
  type ListedEntry,
  type NewAuditEntry,
} from './audit.repository.js';

/** What is about to be changed. */
export type Change = Omit<NewAuditEntry, 'id'>;

/**
 * The audit log. An entry is written before its change is made and completed afterwards, so that no change is without one: if
 * the process is killed in between, an entry without an outcome remains.
 */
@Injectable()
export class AuditService {
  private readonly logger = new Logger(AuditService.name);

  constructor(private readonly entries: AuditRepository) {}

  /** Records that a change is about to be made; returns the entry's id. The change must not be made when this throws. */
  async begin(change: Change): Promise<string> {
    const id = newId();
    await this.entries.insert({ ...change, id });
    return id;
  }

  /** Records how a change ended. Never throws: the change was made. */
  async finish(id: string, outcome: AuditOutcome): Promise<void> {
    await this.entries
      .finish(id, outcome)
      .catch((error: unknown) =>
        this.logger.error({ err: error, auditId: id, ...outcome }, 'outcome not audited'),
      );
  }

  /** Removes the entry of a change that was refused, since nothing was changed. Never throws. */
  async discard(id: string): Promise<void> {
    await this.entries
      .discard(id)
      .catch((error: unknown) => this.logger.error({ err: error, auditId: id }, 'audit entry not removed'));
  }

  /** Makes a change under an entry, for commands; `resultOf` names what was changed. */
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

  /** Newest first, of one workspace or of all. Throws 400 `invalid_cursor`. */
  async list(
    workspaceId: string | null,
    { limit, cursor = '' }: { limit: number; cursor?: string },
  ): Promise<{ entries: ListedEntry[]; cursor: string; hasMore: boolean }> {
    const question = ['audit', workspaceId];
    const found = await this.entries.list(workspaceId, timePositionOf(cursor, question), limit + 1);
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    return {
      entries,
      cursor: last === undefined ? cursor : timeCursorAfter({ time: last.position, id: last.id }, question),
      hasMore: found.length > limit,
    };
  }
}
