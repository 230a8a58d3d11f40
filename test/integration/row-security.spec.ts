import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { isDependencyUnavailable } from '../../src/common/dependency-unavailable.js';
import { acrossWorkspaces } from '../../src/common/work-scope.js';
import { queryPrepared } from '../../src/database/prepared-query.js';
import { findGap, secureRows } from '../../src/database/secured-rows.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { connect, asRequestOf, createTestDatabase, openDataSource } from '../support/database.js';

const OWN = randomUUID();
const OTHER = randomUUID();

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url, { poolSize: 1 });
const transactions = new TransactionRunner(dataSource);
beforeAll(async () => {
  await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ('${OWN}', 'own'), ('${OTHER}', 'other')`);
});
beforeEach(async () => {
  await dataSource.query('DELETE FROM webhooks');
  for (const workspaceId of [OWN, OTHER]) await dataSource.query(INSERT, [workspaceId]);
});

const INSERT = `INSERT INTO webhooks (workspace_id, id, sealed_url, events)
  VALUES ($1, gen_random_uuid(), '', '{}') RETURNING workspace_id`;
/** A repository's statement that lacks its condition `workspace_id = $1`. */
const READ = 'SELECT workspace_id FROM webhooks';
const WRITE = 'UPDATE webhooks SET failure_count = 7 RETURNING workspace_id';
const DELETE = 'DELETE FROM webhooks RETURNING workspace_id';

type Row = { workspace_id: string };
type Run = (sql: string, values?: unknown[], tx?: EntityManager) => Promise<string[]>;

const plain: Run = async (sql, values = [], tx = dataSource.manager) => {
  const answer = await tx.query<Row[] | [Row[], number]>(sql, values);
  const rows = Array.isArray(answer[0]) ? answer[0] : (answer as Row[]);
  return rows.map(({ workspace_id }) => workspace_id);
};
const prepared: Run = async (sql, values = [], tx = dataSource.manager) =>
  (await queryPrepared<Row>(tx, { name: sql.slice(0, 30), text: sql }, values)).map(
    ({ workspace_id }) => workspace_id,
  );

/** The state of the connection as the service's own work finds it. */
const state = async (): Promise<unknown> =>
  (
    await dataSource.query<unknown[]>(
      `SELECT current_user = session_user AS "isOwner", coalesce(current_setting('wss.workspace_id', true), '') AS workspace`,
    )
  )[0];
const UNTOUCHED = { isOwner: true, workspace: '' };

describe.each([
  ['plain', plain],
  ['prepared', prepared],
])('a %s statement without its condition, in a request', (_, run) => {
  it.each([
    ['outside of transactions', (work: (tx?: EntityManager) => Promise<string[]>) => work()],
    ['in a transaction', (work: (tx?: EntityManager) => Promise<string[]>) => transactions.run(work)],
    ['in a snapshot', (work: (tx?: EntityManager) => Promise<string[]>) => transactions.runInSnapshot(work)],
  ])('%s reads, changes and deletes only rows of its workspace', async (_where, begin) => {
    for (const sql of [READ, WRITE, DELETE])
      expect(await asRequestOf(OWN, () => begin((tx) => run(sql, [], tx)))).toEqual([OWN]);
    expect(await plain('SELECT workspace_id FROM webhooks WHERE failure_count = 0')).toEqual([OTHER]);
    expect(await state()).toEqual(UNTOUCHED);
  });

  it('cannot add a row to another workspace', async () => {
    await expect(asRequestOf(OWN, () => run(INSERT, [OTHER]))).rejects.toThrow('row-level security');
    await expect(asRequestOf(OWN, () => transactions.run((tx) => run(INSERT, [OTHER], tx)))).rejects.toThrow(
      'row-level security',
    );
    expect(await asRequestOf(OWN, () => run(INSERT, [OWN]))).toEqual([OWN]);
    expect(await plain(READ)).toHaveLength(3);
  });
});

describe('a connection', () => {
  it('keeps neither role nor workspace after a statement that failed', async () => {
    for (const run of [plain, prepared]) {
      await expect(asRequestOf(OWN, () => run('SELECT 1 / 0'))).rejects.toThrow('division');
      expect(await state()).toEqual(UNTOUCHED);
      const failed = asRequestOf(OWN, () => transactions.run((tx) => run('SELECT 1 / 0', [], tx)));
      await expect(failed).rejects.toThrow('division');
      expect(await state()).toEqual(UNTOUCHED);
    }
  });

  it.each([
    ['plain', plain],
    ['prepared', prepared],
  ])('that two workspaces wait for serves each with its own rows (%s)', async (_kind, run) => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const workspaceId = index % 2 === 0 ? OWN : OTHER;
        return asRequestOf(workspaceId, async () => [workspaceId, ...(await run(READ))]);
      }),
    );
    for (const [workspaceId, ...read] of seen) expect(read).toEqual([workspaceId]);
  });
});

describe('a connection that has lost its prepared statements', () => {
  it('fails one statement as unavailable; the next gets another connection', async () => {
    await asRequestOf(OWN, () => plain(READ));
    await dataSource.query('DISCARD ALL');
    const failed = await asRequestOf(OWN, () => plain(READ)).catch((error: unknown) => error);
    expect(isDependencyUnavailable(failed)).toBe(true);
    expect(await asRequestOf(OWN, () => plain(READ))).toEqual([OWN]);
  });
});

describe('work of a request', () => {
  it('that leaves its workspace reads the rows of all', async () => {
    expect(await asRequestOf(OWN, () => acrossWorkspaces(() => plain(READ)))).toHaveLength(2);
    expect(await asRequestOf(OWN, () => plain(READ))).toHaveLength(1);
  });

  it('reads no row of any workspace as the role without one', async () => {
    await transactions.run(async (tx) => {
      await tx.query('SET LOCAL ROLE wss_workspace');
      expect(await plain(READ, [], tx)).toEqual([]);
      expect(await tx.query('SELECT * FROM workspaces')).toEqual([]);
    });
  });
});

describe('the schema', () => {
  const run = <T>(sql: string): Promise<T[]> => dataSource.query<T[]>(sql);

  it('is secured once a table is free, without waiting long for its lock', async () => {
    const holder = await connect(database.url);
    await run('DROP POLICY wss_workspace ON webhooks');
    await holder.query('BEGIN; LOCK TABLE webhooks IN ACCESS SHARE MODE');
    const refused: unknown[] = [];
    await secureRows((sql) =>
      dataSource.query(sql).catch(async (error: unknown) => {
        refused.push((error as { code?: unknown }).code);
        await holder.query('COMMIT');
        throw error;
      }),
    );
    await holder.end();
    expect(refused).toEqual(['55P03']);
    expect(await findGap(run)).toBeNull();
  });

  it('secures every table with a workspace: a migration that adds one calls secureRows', async () => {
    expect(await findGap(run)).toBeNull();
    const secured = await run<{ name: string }>(
      `SELECT tablename AS name FROM pg_policies WHERE policyname = 'wss_workspace' AND permissive = 'RESTRICTIVE'`,
    );
    const withWorkspace = dataSource.entityMetadatas.filter(({ columns }) =>
      columns.some(({ databaseName }) => databaseName === 'workspace_id'),
    );
    expect(secured.map(({ name }) => name).sort()).toEqual(
      [...withWorkspace.map(({ tableName }) => tableName), 'workspaces', 'audit_entries'].sort(),
    );
  });

  it('lets requests change rows only of secured tables, and truncate none', async () => {
    const allowing = (privileges: string) =>
      run<{
        tablename: string;
      }>(`SELECT relname AS tablename FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p') AND has_table_privilege('wss_workspace', oid, '${privileges}') ORDER BY relname`);
    // has_table_privilege accepts any privilege of a list.
    const secured = await run<{ tablename: string }>(
      `SELECT tablename FROM pg_policies WHERE policyname = 'wss_workspace' ORDER BY tablename`,
    );
    expect(await allowing('INSERT')).toEqual(secured);
    const changeable = secured.filter(({ tablename }) => tablename !== 'audit_entries');
    expect(await allowing('UPDATE')).toEqual(changeable);
    expect(await allowing('DELETE')).toEqual(changeable);
    expect(
      await run(`SELECT has_table_privilege('wss_workspace', 'audit_entries', 'SELECT') AS may`),
    ).toEqual([{ may: false }]);
    expect(await allowing('TRUNCATE')).toEqual([]);
  });
});
