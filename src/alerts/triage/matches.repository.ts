import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { type AlertScope, COMMENT_PREFIX } from '../alert/alert-scope.js';
import type { AlertMatch } from '../matching/alert-match.entity.js';
import { type MatchState, MAX_LABELS } from '../matching/match-state.js';

/** Which matches; an absent field restricts nothing. */
export interface MatchFilter {
  ids?: readonly string[];
  alertId?: string;
  state?: MatchState;
  label?: string;
  of?: AlertScope;
}

/** The change of each match. */
export interface MatchChange {
  state?: MatchState;
  addLabels: readonly string[];
  removeLabels: readonly string[];
}

/** A match, with its time as Postgres writes it. */
export type ListedMatch = Omit<AlertMatch, 'workspaceId' | 'jobId' | 'isHeld' | 'foldedInto'> & {
  position: string;
};

/** The read and write side of matches for people. */
@Injectable()
export class MatchesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Matches after a position, newest first. */
  list(
    workspaceId: string,
    filter: MatchFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<ListedMatch[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM alert_matches WHERE ${WHERE}
         AND ($7::timestamptz IS NULL OR (matched_at, id) < ($7, $8::uuid))
       ORDER BY matched_at DESC, id DESC LIMIT $9`,
      [...parametersOf(workspaceId, filter), after?.time ?? null, after?.id ?? null, limit],
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
    await this.dataSource.query(
      `UPDATE alert_matches SET state = coalesce($3, state), labels = coalesce($4::text[], labels),
         note = coalesce($5, note)
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, state ?? null, labels ?? null, note ?? null],
    );
    // Read separately, because Citus returns no time as text from an UPDATE.
    const [row] = await this.dataSource.query<ListedMatch[]>(
      `SELECT ${COLUMNS} FROM alert_matches WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id],
    );
    return row ?? null;
  }

  /** Changes up to `limit` matches that the change makes different; returns how many. */
  async change(
    workspaceId: string,
    filter: MatchFilter,
    { state, addLabels, removeLabels }: MatchChange,
    limit: number,
  ): Promise<number> {
    const [, changed] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE alert_matches SET state = changed.state, labels = changed.labels
       FROM (
         SELECT id, state, labels FROM (
           SELECT id, state AS former_state, labels AS former_labels, coalesce($7, state) AS state,
             ARRAY(SELECT one FROM unnest(labels || $8::text[]) AS label (one)
               WHERE one <> ALL($9::text[]) GROUP BY one ORDER BY one COLLATE "C") AS labels
           FROM alert_matches WHERE ${WHERE}
         ) AS candidate
         WHERE (state, labels) IS DISTINCT FROM (former_state, former_labels)
           AND cardinality(labels) <= ${MAX_LABELS}
         LIMIT $10
       ) AS changed
       WHERE alert_matches.workspace_id = $1 AND alert_matches.id = changed.id`,
      [...parametersOf(workspaceId, filter), state ?? null, addLabels, removeLabels, limit],
    );
    return changed;
  }
}

const COLUMNS = `id, alert_id AS "alertId", post_id AS "postId", matched_at AS "matchedAt",
  matched_at::text AS position, keywords, state, labels, note, duplicates`;

/** The condition of a filter, which selects no folded matches; its parameters are those of {@link parametersOf}. */
const WHERE = `workspace_id = $1 AND folded_into IS NULL AND ($2::uuid IS NULL OR alert_id = $2) AND ($3::text IS NULL OR state = $3)
  AND ($4::text IS NULL OR $4 = ANY(labels))
  AND ($5::text IS NULL OR starts_with(post_id, '${COMMENT_PREFIX}') = ($5 = 'comments'))
  AND ($6::uuid[] IS NULL OR id = ANY($6))`;

const parametersOf = (workspaceId: string, { ids, alertId, state, label, of }: MatchFilter): unknown[] => [
  workspaceId,
  alertId ?? null,
  state ?? null,
  label ?? null,
  of === undefined || of === 'all' ? null : of,
  ids ?? null,
];
