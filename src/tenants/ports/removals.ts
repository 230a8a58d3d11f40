import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Numbers of removed rows, by the kinds that an erasure counts. */
export interface RemovedCounts {
  matches: number;
  events: number;
}

/** Removes the rows of records with these ids within the transaction that removes the records. Can be repeated. */
type RemoveRows = (
  workspaceId: string,
  ids: readonly string[],
  tx: EntityManager,
) => Promise<Partial<RemovedCounts> | void>;

/** The removal of the rows that one owner keeps of posts, of comments or of jobs. */
export interface Removal {
  /** The tables with these rows. */
  tables: readonly string[];
  /**
   * `always` for rows that exist only for the record; `erasure` for rows that mention it and have a retention of their own.
   */
  when: 'always' | 'erasure';
  posts?: RemoveRows;
  comments?: RemoveRows;
  /** Removes the targets of jobs, which name accounts. */
  jobs?: RemoveRows;
}

/** Why records are removed. */
export type RemovalReason = 'expiry' | 'erasure';

/**
 * Where the owners of tables register the removal of rows that belong to posts, comments and jobs. Erasures and
 * retention run them and know no table.
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

  /** Removes the rows of posts, of comments or of jobs; returns the sums. */
  async remove(
    workspaceId: string,
    kind: 'posts' | 'comments' | 'jobs',
    ids: readonly string[],
    reason: RemovalReason,
    tx: EntityManager,
  ): Promise<RemovedCounts> {
    const sums = { matches: 0, events: 0 };
    if (ids.length === 0) return sums;
    for (const removal of this.removals) {
      if (removal.when === 'erasure' && reason === 'expiry') continue;
      const counts = (await removal[kind]?.(workspaceId, ids, tx)) ?? {};
      sums.matches += counts.matches ?? 0;
      sums.events += counts.events ?? 0;
    }
    return sums;
  }
}
