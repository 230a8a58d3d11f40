import { Injectable } from '@nestjs/common';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { MediaStore } from '../../content/media/media-store.js';
import { exportFolder } from './export-jobs.service.js';
import { ExportJobsRepository } from './export-jobs.repository.js';

const BATCH = 100;

/** Deletes exports seven days after they end, in bounded batches: first the files, then the record. */
@Injectable()
export class ExportPruner {
  constructor(
    private readonly jobs: ExportJobsRepository,
    private readonly store: MediaStore,
    pruner: Pruner,
  ) {
    pruner.add('exports', () => this.pruneBatch());
  }

  /** Deletes one batch. True when more may remain. */
  async pruneBatch(): Promise<boolean> {
    const expired = await this.jobs.findExpired(BATCH);
    for (const { workspaceId, id } of expired) {
      await this.store.removeFolder(exportFolder(workspaceId, id));
      await this.jobs.delete(workspaceId, id);
    }
    return expired.length === BATCH;
  }
}
