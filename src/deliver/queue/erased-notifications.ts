import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type ErasedRecords,
  ErasedEventsRepository,
} from '../../messages/outbox/erased-events.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';

/** Erases records and targets of jobs from events, and the responses of receivers to these events. */
@Injectable()
export class ErasedNotifications {
  constructor(
    private readonly events: ErasedEventsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** Erases posts and comments; returns the number of events. */
  async eraseRecords(workspaceId: string, records: ErasedRecords, tx: EntityManager): Promise<number> {
    return this.forgetErrors(workspaceId, await this.events.eraseRecords(workspaceId, records, tx), tx);
  }

  /** Erases the targets of jobs; returns the number of events. */
  async eraseTargets(workspaceId: string, jobIds: readonly string[], tx: EntityManager): Promise<number> {
    return this.forgetErrors(workspaceId, await this.events.eraseTargets(workspaceId, jobIds, tx), tx);
  }

  private async forgetErrors(workspaceId: string, events: string[], tx: EntityManager): Promise<number> {
    if (events.length > 0) await this.deliveries.forgetErrors(workspaceId, events, tx);
    return events.length;
  }
}
