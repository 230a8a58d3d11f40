import { Injectable } from '@nestjs/common';
import { MediaStore } from '../../content/media/media-store.js';
import { nameOfSubject, type Subject } from '../../tenants/ports/erasure-subject.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { exportFolder } from './export-jobs.service.js';
import { RecurringExportsRepository } from './recurring/recurring-exports.repository.js';
import { Traces } from '../../tenants/ports/traces.js';

/** Erases subjects from exports. Every call can be repeated after a crash. */
@Injectable()
export class ErasedExports {
  constructor(
    private readonly exports: ExportJobsRepository,
    private readonly recurring: RecurringExportsRepository,
    private readonly store: MediaStore,
    traces: Traces,
  ) {
    traces.register(this);
  }

  /**
   * Removes recurring exports and filters that name the subject, and the files of exports that may contain it; null stands
   * for any subject.
   * Exports of posts have no comments; those of comments name the titles of their posts.
   */
  async erase(workspaceId: string, subject: Subject | null): Promise<{ exports: number }> {
    if (subject !== null) {
      await this.recurring.deleteNaming(workspaceId, nameOfSubject(subject));
      await this.exports.eraseFilters(workspaceId, nameOfSubject(subject));
    }
    const kinds = subject?.kind === 'comment' ? ['comments'] : ['posts', 'comments'];
    const exports = await this.exports.withdraw(workspaceId, kinds);
    // Afterwards, so that no withdrawn run becomes a base again.
    await this.recurring.forgetBases(workspaceId, kinds);
    for (const id of await this.exports.listWithdrawn(workspaceId)) {
      await this.store.removeFolder(exportFolder(workspaceId, id));
      await this.exports.deleteParts(workspaceId, id);
    }
    return { exports };
  }
}
