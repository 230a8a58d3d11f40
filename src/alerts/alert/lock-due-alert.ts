import type { EntityManager } from 'typeorm';
import { Alert } from './alert.entity.js';

/**
 * Locks an alert for which `dueAt` has passed; null when it is not due any more, or another process has locked it.
 */
export function lockDueAlert(
  tx: EntityManager,
  dueAt: 'digestDueAt' | 'spikeDueAt',
  workspaceId: string,
  id: string,
  now: Date,
): Promise<Alert | null> {
  return tx
    .createQueryBuilder(Alert, 'alert')
    .where(`alert.workspaceId = :workspaceId AND alert.id = :id AND alert.${dueAt} <= :now`, {
      workspaceId,
      id,
      now,
    })
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked')
    .getOne();
}
