import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventType } from '../../common/event-types.js';
import { newId } from '../../common/ids.js';

export interface NewEvent {
  type: EventType;
  uniqueKey: string;
  data: object;
}

@Injectable()
export class OutboxRepository {
  /** Appends an event in the transaction of what it tells; does nothing when its unique key is there already. */
  async append(workspaceId: string, event: NewEvent, tx: EntityManager): Promise<void> {
    await tx.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, data)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (workspace_id, unique_key) DO NOTHING`,
      [workspaceId, newId(), event.type, event.uniqueKey, JSON.stringify(event.data)],
    );
  }
}
