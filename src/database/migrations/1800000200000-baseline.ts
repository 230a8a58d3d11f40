import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ALERTS } from './baseline/alerts.js';
import { AUDIT } from './baseline/audit.js';
import { CONTENT } from './baseline/content.js';
import { COUNTS } from './baseline/counts.js';
import { DATASETS } from './baseline/datasets.js';
import { ERASURES } from './baseline/erasures.js';
import { EVENTS } from './baseline/events.js';
import { EXPORTS } from './baseline/exports.js';
import { JOBS } from './baseline/jobs.js';
import { SCHEDULES } from './baseline/schedules.js';
import { SEARCH } from './baseline/search.js';
import { SEARCHES } from './baseline/searches.js';
import { SIGN_IN } from './baseline/sign-in.js';
import { STREAMS } from './baseline/streams.js';
import { WORKSPACES } from './baseline/workspaces.js';

/** Each part refers only to tables of the parts before it. */
const PARTS = [
  WORKSPACES,
  SIGN_IN,
  AUDIT,
  CONTENT,
  JOBS,
  SCHEDULES,
  STREAMS,
  EVENTS,
  ALERTS,
  SEARCHES,
  EXPORTS,
  DATASETS,
  ERASURES,
  COUNTS,
  SEARCH,
];

/**
 * The schema of version 1.0.0. The primary key of every table with rows of workspaces begins with workspace_id, so that
 * tables can be distributed by it; lists use keyset pagination, so each sort order has its index.
 */
export class Baseline1800000200000 implements MigrationInterface {
  name = 'Baseline1800000200000';

  /** Throws a message for the operator on a database of states before the first release. */
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasTable('workspaces'))
      throw new Error(
        'This database was created before version 1.0.0 and cannot be migrated. Use a new database, or another DATA_DIR',
      );
    // Not by IF NOT EXISTS: on Citus, that is refused to all but the extension's owner.
    await runner.query(`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'btree_gin') THEN CREATE EXTENSION btree_gin; END IF;
    END $$`);
    for (const part of PARTS) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const kind of ['TABLE', 'FUNCTION'])
      await runner.query(`DROP ${kind} ${created(kind).reverse().join(', ')}`);
  }
}

/** Names of the tables or functions that the parts create, in their order. */
const created = (kind: string): string[] =>
  [...PARTS.join('').matchAll(new RegExp(`CREATE ${kind} (\\w+)`, 'g'))].map(([, name]) => name!);
