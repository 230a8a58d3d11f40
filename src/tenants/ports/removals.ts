import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Posts and comments that are removed, by their ids. */
export interface RemovedRecords {
  postIds: readonly string[];
  commentIds: readonly string[];
}

/** Numbers of removed rows, by the kinds that an erasure counts. */
export type RemovedCounts = Partial<Record<'matches' | 'events', number>>;

/** The removal of the rows that one owner keeps of posts and comments. */
export interface Removal {
  /** The tables with these rows. */
  tables: readonly string[];
  /**
   * `always` for rows that exist only for the record; `erasure` for rows that mention it and have a retention of their own.
   */
  when: 'always' | 'erasure';
  /** Removes the rows within the transaction that removes the records. Repeating it changes nothing. */
  remove(workspaceId: string, records: RemovedRecords, tx: EntityManager): Promise<RemovedCounts | void>;
}

/**
 * Where the owners of tables register the removal of rows that belong to posts and comments. Erasures, retention and
 * rechecks run all of them and know no table.
 */
@Injectable()
export class Removals {
  private removals: Removal[] = [];

  /** Call it once per owner, at startup. */
  register(removal: Removal): void {
    const nameOf = ({ tables }: Removal): string => tables[0]!;
    // In one order in every process, so that concurrent removals lock rows in the same order.
    this.removals = [...this.removals, removal].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** All tables with a registered removal. */
  get tables(): string[] {
    return this.removals.flatMap(({ tables }) => tables);
  }

  /** Removes the rows of records that expired or, with `erasure`, were erased; returns the sums. */
  async remove(
    workspaceId: string,
    records: RemovedRecords,
    reason: 'expiry' | 'erasure',
    tx: EntityManager,
  ): Promise<Required<RemovedCounts>> {
    const sums = { matches: 0, events: 0 };
    if (records.postIds.length + records.commentIds.length === 0) return sums;
    for (const removal of this.removals) {
      if (removal.when === 'erasure' && reason === 'expiry') continue;
      const counts = (await removal.remove(workspaceId, records, tx)) ?? {};
      sums.matches += counts.matches ?? 0;
      sums.events += counts.events ?? 0;
    }
    return sums;
  }
}
