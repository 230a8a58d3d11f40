import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { SqlParameters } from '../../database/sql.js';
import { Label } from './label.entity.js';
import type { RecordLabel } from './label-csv.js';

/** How much is labelled in a workspace, and how differently by one labeller. */
export interface LabelCounts {
  labellers: number;
  labels: number;
  /** Number of different labels of the labeller, counted up to a maximum. */
  different: number;
}

/** Labels of posts and comments. */
@Injectable()
export class LabelsRepository {
  constructor(@InjectRepository(Label) private readonly labels: Repository<Label>) {}

  /** Adds or replaces labels of a labeller. */
  async save(
    workspaceId: string,
    labeller: string,
    labels: readonly RecordLabel[],
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO labels (workspace_id, labeller, record_id, label)
       SELECT $1, $2, record_id, label FROM unnest($3::text[], $4::text[]) AS given (record_id, label)
       ORDER BY record_id
       ON CONFLICT (workspace_id, labeller, record_id)
         DO UPDATE SET label = excluded.label, labelled_at = excluded.labelled_at`,
      [workspaceId, labeller, labels.map(({ recordId }) => recordId), labels.map(({ label }) => label)],
    );
  }

  /** The names of all labellers, in the order of their bytes. */
  async labellers(workspaceId: string): Promise<string[]> {
    const rows = await this.labels.query<{ labeller: string }[]>(
      `SELECT labeller FROM labels WHERE workspace_id = $1 GROUP BY labeller ORDER BY labeller COLLATE "C"`,
      [workspaceId],
    );
    return rows.map(({ labeller }) => labeller);
  }

  /** Counts all labels and labellers, and the different labels of one labeller, of these at most `atMost`. */
  async count(
    workspaceId: string,
    labeller: string,
    atMost: number,
    tx: EntityManager,
  ): Promise<LabelCounts> {
    const [counts] = await tx.query<[LabelCounts]>(
      `SELECT count(*)::int AS labellers, coalesce(sum(records), 0)::int AS labels,
         (SELECT count(*)::int FROM (
            SELECT label FROM labels WHERE workspace_id = $1 AND labeller = $2 GROUP BY label LIMIT $3
          ) AS given) AS different
       FROM (SELECT labeller, count(*) AS records FROM labels WHERE workspace_id = $1 GROUP BY labeller) AS counted`,
      [workspaceId, labeller, atMost],
    );
    return counts;
  }

  /** Deletes all labels of a labeller; returns how many. */
  async delete(workspaceId: string, labeller: string): Promise<number> {
    const { affected } = await this.labels.delete({ workspaceId, labeller });
    return affected ?? 0;
  }

  /** Deletes the labels of records. */
  async deleteOf(workspaceId: string, recordIds: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query('DELETE FROM labels WHERE workspace_id = $1 AND record_id = ANY ($2)', [
      workspaceId,
      recordIds,
    ]);
  }
}

/** A join of a labeller's labels as `TABLE.label`, to the records with the id `record`. */
export function labelsJoin(
  { workspaceId, labeller, record, table }: Record<'workspaceId' | 'labeller' | 'record' | 'table', string>,
  parameters: SqlParameters,
): string {
  return `LEFT JOIN (SELECT record_id AS labelled, label AS ${table}_label FROM labels
      WHERE workspace_id = ${parameters.add(workspaceId)} AND labeller = ${parameters.add(labeller)}) AS ${table}
    ON ${table}.labelled = ${record}`;
}
