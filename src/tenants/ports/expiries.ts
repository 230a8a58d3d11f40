import { Injectable } from '@nestjs/common';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import type { RetainedKind } from '../workspaces/workspace.entity.js';

/** A workspace's rows of one kind that expired before a given time. */
export interface ExpiredRows {
  workspaceId: string;
  kind: RetainedKind;
  before: Date;
  /** Position after which the next batch of comments or events begins; null to begin at the first. */
  after: TimePosition | null;
}

/** The result of a batch. */
export interface DeletedBatch {
  /** Number of deleted rows of the kind; comments and files of deleted posts are not counted. */
  deleted: number;
  /** Whether another batch may find more to delete. */
  isMore: boolean;
  /** Position after which the next batch begins. */
  after: TimePosition | null;
}

/** Deletes expired rows, with the rows and files that belong to them, in short transactions. Can be repeated. */
type DeleteBatch = (rows: ExpiredRows) => Promise<DeletedBatch>;

/** Where the owners of tables register the deletion of expired rows, so that retention knows no table. */
@Injectable()
export class Expiries {
  private readonly kinds = new Map<RetainedKind, DeleteBatch>();

  /** Call it once per kind, at startup. */
  register(kind: RetainedKind, deleteBatch: DeleteBatch): void {
    this.kinds.set(kind, deleteBatch);
  }

  /** Deletes the next batch. Throws for a kind without owner. */
  delete(rows: ExpiredRows): Promise<DeletedBatch> {
    const deleteBatch = this.kinds.get(rows.kind);
    if (deleteBatch === undefined) throw new Error(`nothing deletes expired ${rows.kind}`);
    return deleteBatch(rows);
  }
}

/** The result of a batch of rows that are deleted in order, so that the next batch begins at the first. */
export const batchFromFirst = (deleted: number, isMore: boolean): DeletedBatch => ({
  deleted,
  isMore,
  after: null,
});
