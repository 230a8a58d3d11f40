import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Job } from './job.entity.js';

/** Maximum number of posts of a small job. Monitor passes are small whatever their limit. */
const SMALL_JOB_POSTS = 100;
/** A large job that has waited this long gets the same priority as a small one. */
const LARGE_WAITS_AT_MOST = '2 minutes';
/** Maximum number of a workspace's pending jobs whose positions are counted. */
const MAX_POSITIONS = 2_000;
/** Maximum number of turns by which a workspace can lag behind others, however large its jobs were. */
const MAX_LAG = 10;

/** Whether a job uses a slot for small jobs. */
export function isSmall(job: Pick<Job, 'mode' | 'postLimit'>): boolean {
  return job.mode === 'monitor' || job.postLimit <= SMALL_JOB_POSTS;
}

/** Which jobs may not start now. */
export interface TurnLimits {
  /** False when there is no slot for a large job. */
  allowsLarge: boolean;
  withoutSmall: readonly string[];
  withoutLarge: readonly string[];
}

/**
 * The order in which pending jobs start, over all workspaces and processes. Small jobs start before large ones, until a
 * large one has waited two minutes. Among jobs of equal priority workspaces take turns by start-time fair queuing (a
 * turn costs one unit per 100 posts), and each workspace starts its oldest job first. A workspace without jobs does not
 * save up turns.
 */
@Injectable()
export class JobTurnsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Sets the next job in turn to running and returns it; null when no job may start. The caller holds a lock that
   * serializes callers. A job that is cancelled at the same time is skipped: the next call finds another one.
   */
  async startNext(limits: TurnLimits, tx: EntityManager): Promise<Job | null> {
    for (;;) {
      const [next] = await tx.query<NextJob[]>(NEXT_JOB, [
        limits.withoutSmall,
        limits.withoutLarge,
        limits.allowsLarge,
      ]);
      if (next === undefined) return null;
      const [, started] = await tx.query<[unknown[], number]>(
        `UPDATE jobs SET status = 'running', started_at = clock_timestamp()
         WHERE workspace_id = $1 AND id = $2 AND status = 'pending'`,
        [next.workspaceId, next.id],
      );
      if (started !== 1) continue;
      await tx.query(
        `INSERT INTO job_turns (workspace_id, start_tag, finish_tag) VALUES ($1, $2, $3)
         ON CONFLICT (workspace_id) DO UPDATE SET start_tag = excluded.start_tag, finish_tag = excluded.finish_tag`,
        [next.workspaceId, next.startTag, next.startTag + Math.min(MAX_LAG, next.cost)],
      );
      return tx.findOneBy(Job, { workspaceId: next.workspaceId, id: next.id });
    }
  }

  /** Positions of the workspace's pending jobs; only of the oldest 2,000 when there are more. */
  async positions(workspaceId: string): Promise<TurnPositions> {
    const rows = await this.dataSource.query<{ id: string | null; position: number; running: number }[]>(
      POSITIONS,
      [workspaceId],
    );
    return {
      positions: new Map(rows.flatMap(({ id, position }) => (id === null ? [] : [[id, position]]))),
      running: rows[0]!.running,
    };
  }
}

/** The positions of a workspace's pending jobs, and how many of its jobs are running. */
export interface TurnPositions {
  /** Position by job id, from 1. */
  positions: ReadonlyMap<string, number>;
  running: number;
}

interface NextJob {
  workspaceId: string;
  id: string;
  startTag: number;
  cost: number;
}

const IS_SMALL = `(mode = 'monitor' OR post_limit <= ${SMALL_JOB_POSTS})`;

/**
 * The oldest pending job of each workspace in one size class. Reads one index entry per workspace, however many jobs
 * wait.
 */
function oldestOfEach(name: string, isSmall: boolean, excluded: string): string {
  const waiting = `status = 'pending' AND ${isSmall ? IS_SMALL : `NOT ${IS_SMALL}`}`;
  return `
    ${name}_workspaces (workspace_id) AS (
      (SELECT workspace_id FROM jobs WHERE ${waiting} ORDER BY workspace_id LIMIT 1)
      UNION ALL
      SELECT (SELECT jobs.workspace_id FROM jobs WHERE ${waiting} AND jobs.workspace_id > last.workspace_id
        ORDER BY jobs.workspace_id LIMIT 1)
      FROM ${name}_workspaces AS last WHERE last.workspace_id IS NOT NULL
    ),
    ${name} AS (
      SELECT oldest.workspace_id, oldest.id, oldest.created_at, oldest.cost, ${isSmall} AS is_small
      FROM ${name}_workspaces
      CROSS JOIN LATERAL (
        SELECT workspace_id, id, created_at, greatest(1, post_limit / ${SMALL_JOB_POSTS}) AS cost FROM jobs
        WHERE ${waiting} AND jobs.workspace_id = ${name}_workspaces.workspace_id
        ORDER BY created_at, id LIMIT 1
      ) AS oldest
      WHERE NOT oldest.workspace_id = ANY(${excluded}::uuid[])
    )`;
}

const NEXT_JOB = `
  WITH RECURSIVE ${oldestOfEach('small', true, '$1')},
  ${oldestOfEach('large', false, '$2')},
  virtual_time AS (SELECT coalesce(max(start_tag), 0) AS now FROM job_turns)
  SELECT waiting.workspace_id AS "workspaceId", waiting.id, waiting.cost,
    greatest(turn.finish_tag, virtual_time.now) AS "startTag"
  FROM (SELECT * FROM small UNION ALL SELECT * FROM large WHERE $3::boolean) AS waiting
  CROSS JOIN virtual_time
  LEFT JOIN job_turns AS turn ON turn.workspace_id = waiting.workspace_id
  ORDER BY waiting.is_small OR waiting.created_at < clock_timestamp() - interval '${LARGE_WAITS_AT_MOST}' DESC,
    greatest(turn.finish_tag, virtual_time.now), waiting.created_at, waiting.id
  LIMIT 1`;

const POSITIONS = `
  SELECT waiting.id, waiting.position, runs.running
  FROM (SELECT count(*)::int AS running FROM jobs WHERE workspace_id = $1 AND status = 'running') AS runs
  LEFT JOIN (
    SELECT id, (row_number() OVER (
      ORDER BY ${IS_SMALL} OR created_at < clock_timestamp() - interval '${LARGE_WAITS_AT_MOST}' DESC, created_at, id))::int AS position
    FROM (SELECT id, mode, post_limit, created_at FROM jobs WHERE workspace_id = $1 AND status = 'pending'
      ORDER BY created_at, id LIMIT ${MAX_POSITIONS}) AS oldest
  ) AS waiting ON true`;
