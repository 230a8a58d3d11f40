import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { SOURCES } from '../../platforms/registry.js';
import { ErasedDatasets } from '../../takeout/datasets/erased-datasets.js';
import { ErasedNotifications } from '../../deliver/queue/erased-notifications.js';
import { ErasedEventsRepository } from '../../messages/outbox/erased-events.repository.js';
import { exportFolder } from '../../takeout/exports/export-jobs.service.js';
import { ExportJobsRepository } from '../../takeout/exports/export-jobs.repository.js';
import { IdempotencyService } from '../../access/idempotency/idempotency.service.js';
import { JobsRepository } from '../../collect/jobs/jobs.repository.js';
import { MediaStore } from '../../content/media/media-store.js';
import { ErasedPostsRepository } from '../../content/posts/erased-posts.repository.js';
import { JobLogRepository } from '../../collect/scraping/log/job-log.repository.js';
import { SchedulesRepository } from '../../collect/schedules/schedules.repository.js';
import { StreamsRepository } from '../../collect/streams/streams.repository.js';
import type { Subject } from '../../content/suppressions/suppressed-subject.js';
import type { Removed } from './erasure.entity.js';

type Author = Extract<Subject, { kind: 'author' }>;

/** Erases the traces of a subject whose posts and comments are gone. Every call can be repeated. */
@Injectable()
export class ErasedTraces {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly posts: ErasedPostsRepository,
    private readonly events: ErasedEventsRepository,
    private readonly notifications: ErasedNotifications,
    private readonly jobs: JobsRepository,
    private readonly log: JobLogRepository,
    private readonly schedules: SchedulesRepository,
    private readonly responses: IdempotencyService,
    private readonly exports: ExportJobsRepository,
    private readonly datasets: ErasedDatasets,
    private readonly store: MediaStore,
    private readonly streams: StreamsRepository,
  ) {}

  /** Returns how much was removed. */
  async erase(workspaceId: string, subject: Subject): Promise<Partial<Removed>> {
    const removed = subject.kind === 'author' ? await this.eraseTargets(workspaceId, subject) : {};
    const definition =
      subject.kind === 'author' && subject.source !== null && SOURCES.content(subject.source);
    const prefixes = definition ? definition.ids : { post: '', comment: '' };
    const events = await this.transactions.run((tx) =>
      this.notifications.eraseRecords(
        workspaceId,
        {
          postIds: subject.kind === 'post' ? [subject.id] : [],
          commentIds: subject.kind === 'comment' ? [subject.id] : [],
          author:
            subject.kind === 'author'
              ? { name: subject.author, postPrefix: prefixes.post, commentPrefix: prefixes.comment }
              : null,
        },
        tx,
      ),
    );
    const name = subject.kind === 'author' ? subject.author : subject.id;
    const responses = await this.responses.forget(workspaceId, name);
    await this.exports.eraseFilters(workspaceId, name);
    await this.datasets.eraseNames(workspaceId, name);
    await this.events.eraseFilters(workspaceId, name);
    const { exports } = await this.eraseFiles(workspaceId, subject);
    return { ...removed, events: events + (removed.events ?? 0), responses, exports };
  }

  /** Removes records from streams: of an author, everything by the accounts that wrote them. */
  async eraseStreamed(workspaceId: string, subject: Subject, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const accounts = ids.map((id) => SOURCES.ofId(id)?.ids.accountOf?.(id) ?? null);
    const beginnings = subject.kind === 'author' ? accounts.filter((account) => account !== null) : [];
    await this.streams.forget(workspaceId, ids, [...new Set(beginnings)]);
  }

  /**
   * Removes the files of exports that may contain the subject, and the names of forums that became empty. Exports of posts
   * have no comments; those of comments name the titles of their posts.
   */
  async eraseFiles(workspaceId: string, subject: Subject | null): Promise<{ exports: number }> {
    const kinds = subject?.kind === 'comment' ? ['comments'] : ['posts', 'comments'];
    const exports = await this.exports.withdraw(workspaceId, kinds);
    for (const id of await this.exports.listWithdrawn(workspaceId)) {
      await this.store.removeFolder(exportFolder(workspaceId, id));
      await this.exports.deleteParts(workspaceId, id);
    }
    await this.posts.forgetEmptyForums(workspaceId);
    return { exports };
  }

  /** Ends schedules and jobs of the account, and removes its name from them, their logs and their events. */
  private async eraseTargets(workspaceId: string, author: Author): Promise<Partial<Removed>> {
    const schedules = (await this.schedules.list(workspaceId)).filter(
      ({ target, targetType }) => targetType === 'user' && namesAuthor(target, author),
    );
    for (const { id } of schedules) await this.schedules.delete(workspaceId, id);
    const targets = (await this.jobs.listUsers(workspaceId)).filter((target) => namesAuthor(target, author));
    if (targets.length === 0) return { schedules: schedules.length };
    return this.transactions.run(async (tx) => {
      const jobs = await this.jobs.eraseUsers(workspaceId, targets, tx);
      await this.log.removeAll(
        jobs.map((id) => ({ workspaceId, id })),
        tx,
      );
      const events = await this.notifications.eraseTargets(workspaceId, jobs, tx);
      return { jobs: jobs.length, schedules: schedules.length, events };
    });
  }
}

/** Whether the target of a job is this account: its name is the target, or a part of it without the site. */
export function namesAuthor(target: string, { source, author }: Author): boolean {
  const found = SOURCES.parse({ type: 'user', name: target });
  if ('refusal' in found) return false;
  const name = found.target.name.toLowerCase();
  const wanted = author.toLowerCase();
  return (
    (source === null || [found.definition.source, found.definition.synthetic?.source].includes(source)) &&
    (name === wanted || name.split(/[/@]/).includes(wanted))
  );
}
