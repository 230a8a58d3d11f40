import { Injectable } from '@nestjs/common';
import type { Sql } from '../../database/sql.js';
import { SearchDatabase } from '../../search/search-database.js';
import type { AlphaSums, PairSums } from './agreement.js';

/** A labeller and how much it labelled. */
export interface Labeller {
  labeller: string;
  records: number;
  labels: string[];
  labelledAt: Date;
}

/** Sums of two labellers, given by their positions in the list of names. */
export type SumsOfLabellers = PairSums & { first: number; second: number };

/** Which labels of each labeller are listed. */
const LISTED_LABELS = 100;

/**
 * Reads all labels of a workspace, as a search does: on the connections of searches, within their time and counted as
 * one. Only sums leave the database. Throws 503 `search_timeout` and 429 `too_many_concurrent_requests`.
 */
@Injectable()
export class LabelStatisticsRepository {
  constructor(private readonly searches: SearchDatabase) {}

  /** All labellers by name, with their number of records and their most frequent labels. */
  list(workspaceId: string): Promise<Labeller[]> {
    const text = `SELECT labeller, sum(records)::int AS records, max(labelled_at) AS "labelledAt",
         (array_agg(label ORDER BY records DESC, label))[1:${LISTED_LABELS}] AS labels
       FROM (
         SELECT labeller, label, count(*) AS records, max(labelled_at) AS labelled_at
         FROM labels WHERE workspace_id = $1 GROUP BY labeller, label) AS counted
       GROUP BY labeller ORDER BY labeller COLLATE "C"`;
    return this.searches.run(
      workspaceId,
      (run) => run<Labeller>({ text, parameters: [workspaceId] }),
      REMEDY,
    );
  }

  /**
   * The sums of each two of the labellers with a record in common, and those of all for Krippendorff's alpha, which are
   * null without such a record.
   */
  async agreement(
    workspaceId: string,
    labellers: readonly string[],
  ): Promise<{ pairs: SumsOfLabellers[]; all: AlphaSums | null }> {
    if (labellers.length < 2) return { pairs: [], all: null };
    const statement = agreementStatement(workspaceId, labellers);
    const pairs = await this.searches.run(
      workspaceId,
      (run) => run<SumsOfLabellers & AlphaSums>(statement),
      REMEDY,
    );
    return { pairs, all: pairs[0] ?? null };
  }
}

const REMEDY = 'Name fewer labellers.';

/**
 * Reads each label once. `rated` has, of each, which labellers labelled its record, and which of them with the same label,
 * as bits; `counted` has one row for each label of a labeller, with a number for each other labeller in two arrays. The
 * labels of two labellers are never joined, since that gives as many rows as records for each pair.
 */
function agreementStatement(workspaceId: string, labellers: readonly string[]): Sql {
  const numberOfEach = (bits: string): string =>
    labellers.map((_, at) => `count(*) FILTER (WHERE ${bits} & ${1 << at} <> 0)`).join(', ');
  return {
    text: `WITH rated AS (
        SELECT labeller, label,
          count(*) OVER of_record AS raters, bit_or(1 << labeller) OVER of_record AS beside,
          count(*) OVER of_label AS equals, bit_or(1 << labeller) OVER of_label AS alike
        FROM (SELECT record_id, label, array_position($2::text[], labeller) - 1 AS labeller
              FROM labels WHERE workspace_id = $1 AND labeller = ANY ($2)) AS given
        WINDOW of_record AS (PARTITION BY record_id), of_label AS (PARTITION BY record_id, label)
      ), counted AS (
        SELECT labeller, label, count(*) AS labels, sum((equals - 1)::float8 / (raters - 1)) AS agreeing,
          ARRAY[${numberOfEach('beside')}] AS beside, ARRAY[${numberOfEach('alike')}] AS alike
        FROM rated WHERE raters > 1 GROUP BY labeller, label
      ), sums AS (
        SELECT sum(labels)::float8 AS labels, sum(labels ^ 2)::float8 AS squares, sum(agreeing) AS agreeing
        FROM (SELECT sum(labels) AS labels, sum(agreeing) AS agreeing FROM counted GROUP BY label) AS by_label
      ), paired AS (
        SELECT least(labeller, other) AS first, greatest(labeller, other) AS second,
          sum(one.beside) FILTER (WHERE labeller < other) AS of_first,
          sum(one.beside) FILTER (WHERE labeller > other) AS of_second,
          sum(one.alike) FILTER (WHERE labeller < other) AS alike
        FROM counted CROSS JOIN unnest(beside, alike) WITH ORDINALITY AS one (beside, alike, number)
          CROSS JOIN LATERAL (SELECT number::int - 1 AS other) AS numbered
        WHERE labeller <> other AND one.beside > 0
        GROUP BY label, first, second
      )
      SELECT first, second, sum(of_first)::int AS records, sum(paired.alike)::int AS alike,
        coalesce(sum(of_first * of_second), 0)::float8 AS products, sums.labels, sums.squares, sums.agreeing
      FROM paired CROSS JOIN sums GROUP BY first, second, sums.labels, sums.squares, sums.agreeing`,
    parameters: [workspaceId, labellers],
  };
}
