import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { SqlParameters } from '../../database/sql.js';
import type { LabelPair } from './agreement.js';
import { Label } from './label.entity.js';
import type { RecordLabel } from './label-csv.js';

/** A labeller and how much it labelled. */
export interface Labeller {
  labeller: string;
  records: number;
  labels: string[];
  labelledAt: Date;
}

/** Pairs of labels of two labellers, in the order of their names. */
export type PairOfLabellers = LabelPair & { first: string; second: string };

/** Which labels of each labeller are listed. */
const LISTED_LABELS = 100;

/** Labels of posts and comments. */
@Injectable()
export class LabelsRepository {
  constructor(@InjectRepository(Label) private readonly labels: Repository<Label>) {}

  /** Adds or replaces labels of a labeller. */
  async save(workspaceId: string, labeller: string, labels: readonly RecordLabel[]): Promise<void> {
    await this.labels.query(
      `INSERT INTO labels (workspace_id, labeller, record_id, label)
       SELECT $1, $2, record_id, label FROM unnest($3::text[], $4::text[]) AS given (record_id, label)
       ORDER BY record_id
       ON CONFLICT (workspace_id, labeller, record_id)
         DO UPDATE SET label = excluded.label, labelled_at = excluded.labelled_at`,
      [workspaceId, labeller, labels.map(({ recordId }) => recordId), labels.map(({ label }) => label)],
    );
  }

  /** All labellers by name, with their number of records and their most frequent labels. */
  list(workspaceId: string): Promise<Labeller[]> {
    return this.labels.query(
      `SELECT labeller, sum(records)::int AS records, max(labelled_at) AS "labelledAt",
         (array_agg(label ORDER BY records DESC, label))[1:${LISTED_LABELS}] AS labels
       FROM (
         SELECT labeller, label, count(*) AS records, max(labelled_at) AS labelled_at
         FROM labels WHERE workspace_id = $1 GROUP BY labeller, label) AS counted
       GROUP BY labeller ORDER BY labeller COLLATE "C"`,
      [workspaceId],
    );
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

  /** How often each two of the labellers gave two labels to the same record. */
  pairs(workspaceId: string, labellers: readonly string[]): Promise<PairOfLabellers[]> {
    return this.labels.query(
      `SELECT a.labeller AS first, b.labeller AS second, a.label AS one, b.label AS other, count(*)::int AS count
       FROM labels AS a JOIN labels AS b ON b.workspace_id = $1 AND b.record_id = a.record_id
         AND a.labeller COLLATE "C" < b.labeller COLLATE "C"
       WHERE a.workspace_id = $1 AND a.labeller = ANY ($2) AND b.labeller = ANY ($2)
       GROUP BY a.labeller, b.labeller, a.label, b.label`,
      [workspaceId, labellers],
    );
  }

  /** The coincidences of labels for Krippendorff's alpha: each pair counts by the number of labels of its record. */
  coincidences(workspaceId: string, labellers: readonly string[]): Promise<LabelPair[]> {
    return this.labels.query(
      `WITH given AS (
         SELECT labeller, record_id, label, count(*) OVER (PARTITION BY record_id) AS raters
         FROM labels WHERE workspace_id = $1 AND labeller = ANY ($2))
       SELECT a.label AS one, b.label AS other, sum(1 / (a.raters - 1)::float8) AS count
       FROM given AS a JOIN given AS b ON b.record_id = a.record_id AND b.labeller <> a.labeller
       GROUP BY a.label, b.label`,
      [workspaceId, labellers],
    );
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
