import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TransactionRunner } from '../../database/transaction-runner.js';
import {
  type ErasedRecords,
  ErasedEventsRepository,
} from '../../messages/outbox/erased-events.repository.js';
import { SOURCES } from '../../platforms/registry.js';
import { nameOfSubject, type Subject } from '../../tenants/ports/erasure-subject.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { Removals } from '../../tenants/ports/removals.js';
import { Traces } from '../../tenants/ports/traces.js';

/** Erases records and targets of jobs from events, and the responses of receivers to these events. */
@Injectable()
export class ErasedNotifications {
  constructor(
    private readonly events: ErasedEventsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly transactions: TransactionRunner,
    removals: Removals,
    traces: Traces,
  ) {
    removals.register({
      tables: ['outbox_events', 'deliveries'],
      when: 'erasure',
      posts: async (workspaceId, postIds, tx) => ({
        events: await this.eraseRecords(workspaceId, { postIds, commentIds: [], author: null }, tx),
      }),
      comments: async (workspaceId, commentIds, tx) => ({
        events: await this.eraseRecords(workspaceId, { postIds: [], commentIds, author: null }, tx),
      }),
      jobs: async (workspaceId, jobIds, tx) => ({ events: await this.eraseTargets(workspaceId, jobIds, tx) }),
    });
    traces.register({
      erase: async (workspaceId, subject) =>
        subject === null ? {} : { events: await this.eraseSubject(workspaceId, subject) },
    });
  }

  /** Erases a subject from events, and filters of exports that name it; returns the number of events with the subject. */
  private async eraseSubject(workspaceId: string, subject: Subject): Promise<number> {
    const events = await this.transactions.run((tx) =>
      this.eraseRecords(workspaceId, recordsOf(subject), tx),
    );
    await this.events.eraseFilters(workspaceId, nameOfSubject(subject));
    return events;
  }

  private async eraseRecords(
    workspaceId: string,
    records: ErasedRecords,
    tx: EntityManager,
  ): Promise<number> {
    return this.forgetErrors(workspaceId, await this.events.eraseRecords(workspaceId, records, tx), tx);
  }

  private async eraseTargets(
    workspaceId: string,
    jobIds: readonly string[],
    tx: EntityManager,
  ): Promise<number> {
    return this.forgetErrors(workspaceId, await this.events.eraseTargets(workspaceId, jobIds, tx), tx);
  }

  private async forgetErrors(workspaceId: string, events: string[], tx: EntityManager): Promise<number> {
    if (events.length > 0) await this.deliveries.forgetErrors(workspaceId, events, tx);
    return events.length;
  }
}

function recordsOf(subject: Subject): ErasedRecords {
  const records = { postIds: [], commentIds: [], author: null };
  if (subject.kind === 'post') return { ...records, postIds: [subject.id] };
  if (subject.kind === 'comment') return { ...records, commentIds: [subject.id] };
  const ids = subject.source === null ? undefined : SOURCES.content(subject.source)?.ids;
  return {
    ...records,
    author: { name: subject.author, postPrefix: ids?.post ?? '', commentPrefix: ids?.comment ?? '' },
  };
}
