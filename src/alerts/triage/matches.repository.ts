import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { type MatchOrder, type MatchPosition, SQL_ORDERS } from './match-order.js';
import type { AlertScope } from '../alert/alert-scope.js';
import { COMMENT_PREFIX } from '../../content/comments/comment-keys.js';
import { RelevanceRepository } from '../relevance/relevance.repository.js';
import type { AlertMatch } from '../matching/alert-match.entity.js';
import { DECIDED, type MatchState, MAX_LABELS } from '../matching/match-state.js';

/** Which matches; an absent field restricts nothing. */
export interface MatchFilter {
  ids?: readonly string[];
  alertId?: string;
  state?: MatchState;
  label?: string;
  of?: AlertScope;
  /** Least relevance; matches without any are selected, too. */
  minRelevance?: number;
}

/** The change of each match. */
export interface MatchChange {
  state?: MatchState;
  addLabels: readonly string[];
  removeLabels: readonly string[];
}

/** A match as lists show it. */
export type ListedMatch = Omit<
  AlertMatch,
  'workspaceId' | 'jobId' | 'isHeld' | 'foldedInto' | 'readingDueAt'
>;

/** The read and write side of matches for people. */
@Injectable()
export class MatchesRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: TransactionRunner,
    private readonly relevance: RelevanceRepository,
  ) {}

  /** Matches after a position, each with its key in the order as Postgres writes it. */
  list(
    workspaceId: string,
    filter: MatchFilter,
    order: MatchOrder,
    after: MatchPosition | null,
    limit: number,
  ): Promise<(ListedMatch & { position: string })[]> {
    const { key, type, direction } = SQL_ORDERS[order];
    const isAfter = direction === 'DESC' ? '<' : '>';
    return this.dataSource.query(
      `SELECT ${COLUMNS}, (${key})::text AS position FROM alert_matches WHERE ${WHERE}
         AND ($8::${type} IS NULL OR (${key}, id) ${isAfter} ($8, $9::uuid))
       ORDER BY ${key} ${direction}, id ${direction} LIMIT $10`,
      [...parametersOf(workspaceId, filter), after?.key ?? null, after?.id ?? null, limit],
    );
  }

  /** Number of matches by state. */
  async countByState(workspaceId: string, filter: MatchFilter): Promise<Map<MatchState, number>> {
    const rows = await this.dataSource.query<{ state: MatchState; count: number }[]>(
      `SELECT state, count(*)::int AS count FROM alert_matches WHERE ${WHERE} GROUP BY state`,
      parametersOf(workspaceId, filter),
    );
    return new Map(rows.map(({ state, count }) => [state, count]));
  }

  /** Replaces fields of a match; returns it, or null when the workspace has no such match. */
  async update(
    workspaceId: string,
    id: string,
    { state, labels, note }: Partial<Pick<AlertMatch, 'state' | 'labels' | 'note'>>,
  ): Promise<ListedMatch | null> {
    return this.transactions.run(async (tx) => {
      const [former] = await tx.query<StateOfAlert[]>(
        `SELECT alert_id AS "alertId", state AS "formerState" FROM alert_matches
         WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
        [workspaceId, id],
      );
      if (former === undefined) return null;
      await tx.query(
        `UPDATE alert_matches SET state = coalesce($3, state), labels = coalesce($4::text[], labels),
           note = coalesce($5, note)
         WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id, state ?? null, labels ?? null, note ?? null],
      );
      await this.markDecided(workspaceId, [former], state, tx);
      const [row] = await tx.query<[ListedMatch]>(
        `SELECT ${COLUMNS} FROM alert_matches WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id],
      );
      return row;
    });
  }

  /** Changes up to `limit` matches that the change makes different; returns how many. */
  async change(
    workspaceId: string,
    filter: MatchFilter,
    { state, addLabels, removeLabels }: MatchChange,
    limit: number,
  ): Promise<number> {
    return this.transactions.run(async (tx) => {
      const [changed] = await tx.query<[StateOfAlert[], number]>(
        `UPDATE alert_matches SET state = changed.state, labels = changed.labels
       FROM (
         SELECT id, former_state, state, labels FROM (
           SELECT id, state AS former_state, labels AS former_labels, coalesce($8, state) AS state,
             ARRAY(SELECT one FROM unnest(labels || $9::text[]) AS label (one)
               WHERE one <> ALL($10::text[]) GROUP BY one ORDER BY one COLLATE "C") AS labels
           FROM alert_matches WHERE ${WHERE}
         ) AS candidate
         WHERE (state, labels) IS DISTINCT FROM (former_state, former_labels)
           AND cardinality(labels) <= ${MAX_LABELS}
         LIMIT $11
       ) AS changed
       WHERE alert_matches.workspace_id = $1 AND alert_matches.id = changed.id
       RETURNING alert_matches.alert_id AS "alertId", changed.former_state AS "formerState"`,
        [...parametersOf(workspaceId, filter), state ?? null, addLabels, removeLabels, limit],
      );
      await this.markDecided(workspaceId, changed, state, tx);
      return changed.length;
    });
  }

  /** Lets alerts learn from decisions that were taken or taken back. */
  private async markDecided(
    workspaceId: string,
    changed: readonly StateOfAlert[],
    state: MatchState | undefined,
    tx: EntityManager,
  ): Promise<void> {
    if (state === undefined) return;
    const decided = changed.filter(
      ({ formerState }) =>
        formerState !== state && (DECIDED.includes(formerState) || DECIDED.includes(state)),
    );
    await this.relevance.markDue(workspaceId, [...new Set(decided.map(({ alertId }) => alertId))], tx);
  }
}

/** The alert of a match, and the state that it had before a change. */
interface StateOfAlert {
  alertId: string;
  formerState: MatchState;
}

const COLUMNS = `id, alert_id AS "alertId", post_id AS "postId", matched_at AS "matchedAt",
  keywords, state, labels, note, duplicates, relevance, reading`;

/** The condition of a filter, which selects no folded matches; its parameters are those of {@link parametersOf}. */
const WHERE = `workspace_id = $1 AND folded_into IS NULL AND ($2::uuid IS NULL OR alert_id = $2) AND ($3::text IS NULL OR state = $3)
  AND ($4::text IS NULL OR $4 = ANY(labels))
  AND ($5::text IS NULL OR starts_with(post_id, '${COMMENT_PREFIX}') = ($5 = 'comments'))
  AND ($6::uuid[] IS NULL OR id = ANY($6)) AND ($7::real IS NULL OR relevance IS NULL OR relevance >= $7)`;

const parametersOf = (
  workspaceId: string,
  { ids, alertId, state, label, of, minRelevance }: MatchFilter,
): unknown[] => [
  workspaceId,
  alertId ?? null,
  state ?? null,
  label ?? null,
  of === undefined || of === 'all' ? null : of,
  ids ?? null,
  minRelevance ?? null,
];
