import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DECIDED_SQL } from '../matching/match-state.js';
import { relevanceAfterSql } from '../matching/second-reading.js';

/** Wait between a decision and the learning from it, so that several decisions are learned from at once. */
const WAIT = "interval '0.5 seconds'";
/** A model is learned again after this time without a decision, so that it forgets texts that are no longer stored. */
const RENEWED_AFTER = "interval '1 day'";

/** A process's right to learn for an alert until a time. */
export interface RelevanceLease {
  workspaceId: string;
  alertId: string;
  claimedUntil: Date;
}

/** A match as its alert learns from it. */
export interface LearnedMatch {
  id: string;
  postId: string;
  /** 1 for kept, 0 for dismissed, null for none. */
  decision: 0 | 1 | null;
  /** Whether it is a repost of another match. */
  isFolded: boolean;
}

/** The version of an alert's model. */
export interface ModelVersion {
  alertId: string;
  version: string;
}

/** Numbers of an alert's matches, and the mean relevance of those that are shown and have no decision. */
export interface RelevanceCounts {
  kept: number;
  dismissed: number;
  hidden: number;
  mean: number | null;
  /** Of `|2 relevance - 1|`. */
  certainty: number | null;
}

/** What alerts learned, and which of them have something to learn. */
@Injectable()
export class RelevanceRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Marks alerts whose decisions changed. */
  async markDue(workspaceId: string, alertIds: readonly string[], tx: EntityManager): Promise<void> {
    if (alertIds.length === 0) return;
    await tx.query(
      `INSERT INTO alert_relevance (workspace_id, alert_id, due_at)
       SELECT $1, alert.id, now() + ${WAIT} FROM unnest($2::uuid[]) AS alert (id) ORDER BY alert.id
       ON CONFLICT (workspace_id, alert_id)
       DO UPDATE SET due_at = least(alert_relevance.due_at, excluded.due_at)`,
      [workspaceId, alertIds],
    );
  }

  /** Deletes the models of a workspace, because texts are erased; they are learned again from the others. */
  async forget(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE alert_relevance SET model = NULL, learned_at = NULL, claimed_until = NULL,
         due_at = least(due_at, now() + ${WAIT})
       WHERE workspace_id = $1 AND (model IS NOT NULL OR claimed_until IS NOT NULL)`,
      [workspaceId],
    );
  }

  /** Claims the alert that has been due longest, or whose lease has ended; null when none is due. Crosses workspaces. */
  async claim(leaseMs: number): Promise<RelevanceLease | null> {
    const [[lease]] = await this.dataSource.query<[RelevanceLease[], number]>(
      `UPDATE alert_relevance SET due_at = NULL,
         claimed_until = date_trunc('milliseconds', clock_timestamp()) + $1 * interval '1 millisecond'
       WHERE (workspace_id, alert_id) = (
         SELECT workspace_id, alert_id FROM alert_relevance
         WHERE coalesce(claimed_until, due_at) <= clock_timestamp()
         ORDER BY coalesce(claimed_until, due_at) LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING workspace_id AS "workspaceId", alert_id AS "alertId", claimed_until AS "claimedUntil"`,
      [leaseMs],
    );
    return lease ?? null;
  }

  /** Gives a lease back after a failure; the alert is due again after a wait. */
  async release({ workspaceId, alertId, claimedUntil }: RelevanceLease, waitMs: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE alert_relevance SET claimed_until = NULL,
         due_at = least(due_at, clock_timestamp() + $4 * interval '1 millisecond')
       WHERE workspace_id = $1 AND alert_id = $2 AND claimed_until = $3`,
      [workspaceId, alertId, claimedUntil, waitMs],
    );
  }

  /**
   * Stores a model, or that there is none, and ends the lease; false when the lease has ended before. The transaction
   * has locked the alert.
   */
  async store(
    { workspaceId, alertId, claimedUntil }: RelevanceLease,
    model: Buffer | null,
    tx: EntityManager,
  ): Promise<boolean> {
    const [, stored] = await tx.query<[unknown[], number]>(
      `UPDATE alert_relevance SET model = $4, claimed_until = NULL,
         learned_at = CASE WHEN $4::bytea IS NULL THEN NULL ELSE clock_timestamp() END,
         due_at = CASE WHEN $4::bytea IS NULL THEN due_at ELSE least(due_at, clock_timestamp() + ${RENEWED_AFTER}) END
       WHERE workspace_id = $1 AND alert_id = $2 AND claimed_until = $3`,
      [workspaceId, alertId, claimedUntil, model],
    );
    return stored === 1;
  }

  /** Removes what belongs to an alert that no longer exists. */
  async delete({ workspaceId, alertId }: RelevanceLease): Promise<void> {
    await this.dataSource.query('DELETE FROM alert_relevance WHERE workspace_id = $1 AND alert_id = $2', [
      workspaceId,
      alertId,
    ]);
  }

  /** The versions of the models of these alerts that have one. */
  versions(
    workspaceId: string,
    alertIds: readonly string[],
    tx: EntityManager = this.dataSource.manager,
  ): Promise<ModelVersion[]> {
    return tx.query(
      `SELECT alert_id AS "alertId", learned_at::text AS version FROM alert_relevance
       WHERE workspace_id = $1 AND alert_id = ANY ($2) AND model IS NOT NULL`,
      [workspaceId, alertIds],
    );
  }

  /** The stored models of these alerts, with their versions. */
  models(
    workspaceId: string,
    alertIds: readonly string[],
    tx: EntityManager = this.dataSource.manager,
  ): Promise<(ModelVersion & { model: Buffer })[]> {
    return tx.query(
      `SELECT alert_id AS "alertId", learned_at::text AS version, model FROM alert_relevance
       WHERE workspace_id = $1 AND alert_id = ANY ($2) AND model IS NOT NULL`,
      [workspaceId, alertIds],
    );
  }

  /** The matches of an alert, those with a decision first, then the newest. */
  matches(
    workspaceId: string,
    alertId: string,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<LearnedMatch[]> {
    return tx.query(
      `SELECT id, post_id AS "postId", folded_into IS NOT NULL AS "isFolded",
         CASE state WHEN 'kept' THEN 1 WHEN 'dismissed' THEN 0 END AS decision
       FROM alert_matches WHERE workspace_id = $1 AND alert_id = $2
       ORDER BY state IN (${DECIDED_SQL}) DESC, matched_at DESC, id`,
      [workspaceId, alertId],
    );
  }

  /** Locks all matches of an alert, without waiting for other transactions: throws `lock_not_available`. */
  async lockMatches(workspaceId: string, alertId: string, tx: EntityManager): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(
      'SELECT id FROM alert_matches WHERE workspace_id = $1 AND alert_id = $2 FOR UPDATE NOWAIT',
      [workspaceId, alertId],
    );
    return rows.map(({ id }) => id);
  }

  /** Sets the relevance of matches, in the order of `ids`, by the model and their second readings. */
  async setRelevance(
    workspaceId: string,
    alertId: string,
    ids: readonly string[],
    relevance: readonly (number | null)[],
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `UPDATE alert_matches SET relevance = ${RELEVANCE}
       FROM unnest($3::uuid[], $4::real[]) AS scored (id, relevance)
       WHERE workspace_id = $1 AND alert_id = $2 AND alert_matches.id = scored.id
         AND alert_matches.relevance IS DISTINCT FROM ${RELEVANCE}`,
      [workspaceId, alertId, ids, relevance],
    );
  }

  /** Numbers of an alert's matches. */
  async counts(workspaceId: string, alertId: string, minRelevance: number | null): Promise<RelevanceCounts> {
    const [row] = await this.dataSource.query<[RelevanceCounts]>(
      `SELECT count(*) FILTER (WHERE state = 'kept')::int AS kept,
         count(*) FILTER (WHERE state = 'dismissed')::int AS dismissed,
         count(*) FILTER (WHERE relevance < $3::real)::int AS hidden,
         avg(relevance) FILTER (WHERE ${IS_OPEN}) AS mean,
         avg(abs(2 * relevance - 1)) FILTER (WHERE ${IS_OPEN}) AS certainty
       FROM alert_matches WHERE workspace_id = $1 AND alert_id = $2 AND folded_into IS NULL`,
      [workspaceId, alertId, minRelevance],
    );
    return row;
  }
}

const RELEVANCE = relevanceAfterSql('scored.relevance', 'alert_matches.reading');

/** Shown, with a relevance and without a decision; `$3` is the least relevance of shown matches. */
const IS_OPEN = `state NOT IN (${DECIDED_SQL}) AND relevance IS NOT NULL AND ($3::real IS NULL OR relevance >= $3::real)`;
