import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { SOURCES } from '../../platforms/registry.js';
import { Removals } from '../../tenants/ports/removals.js';
import type { AuthorSubject, Subject } from '../../tenants/ports/erasure-subject.js';
import { type TraceCounts, Traces } from '../../tenants/ports/traces.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { SchedulesRepository } from '../schedules/schedules.repository.js';

/** Erases the targets that are erased accounts. Every call can be repeated. */
@Injectable()
export class ErasedAccounts {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly jobs: JobsRepository,
    private readonly schedules: SchedulesRepository,
    private readonly removals: Removals,
    traces: Traces,
  ) {
    traces.register(this);
  }

  /** Ends schedules and jobs of the account, and removes its name from them, their logs and their events. */
  async erase(workspaceId: string, subject: Subject | null): Promise<Partial<TraceCounts>> {
    if (subject?.kind !== 'author') return {};
    const schedules = (await this.schedules.list(workspaceId)).filter(
      ({ target, targetType }) => targetType === 'user' && namesAuthor(target, subject),
    );
    for (const { id } of schedules) await this.schedules.delete(workspaceId, id);
    const targets = (await this.jobs.listUsers(workspaceId)).filter((target) => namesAuthor(target, subject));
    if (targets.length === 0) return { schedules: schedules.length };
    return this.transactions.run(async (tx) => {
      const jobs = await this.jobs.eraseUsers(workspaceId, targets, tx);
      const { events } = await this.removals.remove(workspaceId, 'jobs', jobs, 'erasure', tx);
      return { jobs: jobs.length, schedules: schedules.length, events };
    });
  }
}

/** Whether the target of a job is this account: its name is the target, or a part of it without the site. */
function namesAuthor(target: string, { source, author }: AuthorSubject): boolean {
  const found = SOURCES.parse({ type: 'user', name: target });
  if ('refusal' in found) return false;
  const name = found.target.name.toLowerCase();
  const wanted = author.toLowerCase();
  return (
    (source === null || [found.definition.source, found.definition.synthetic?.source].includes(source)) &&
    (name === wanted || name.split(/[/@]/).includes(wanted))
  );
}
