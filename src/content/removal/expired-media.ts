import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import {
  batchFromFirst,
  type DeletedBatch,
  type ExpiredRows,
  Expiries,
} from '../../tenants/ports/expiries.js';
import { MediaRepository } from '../media/media.repository.js';
import { MediaStore } from '../media/media-store.js';

/** Files per batch. */
const BATCH = 500;

/** Deletes expired files with their records. */
@Injectable()
export class ExpiredMedia {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly media: MediaRepository,
    private readonly store: MediaStore,
    expiries: Expiries,
  ) {
    expiries.register('media', this.deleteBatch.bind(this));
  }

  /** Deletes the next batch. */
  async deleteBatch({ workspaceId, before }: ExpiredRows): Promise<DeletedBatch> {
    const files = await this.store.removeUnshared(
      await this.media.listStoredBefore(workspaceId, before, BATCH),
    );
    if (files.length > 0) await this.transactions.run((tx) => this.media.delete(workspaceId, files, tx));
    return batchFromFirst(files.length, files.length === BATCH);
  }
}
