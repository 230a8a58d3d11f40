import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type pg from 'pg';
import { CONTROL_TABLES, DATA_TABLES, planDistribution } from '../../src/cli/distribution/plan.js';
import { connect, createTestDatabase } from '../support/database.js';

const PROGRAM = join(import.meta.dirname, '../../src/cli/db.js');

let client: pg.Client;

const database = await createTestDatabase();
beforeAll(async () => {
  client = await connect(database.url);
});

afterAll(async () => {
  await client.end();
});

function db(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) =>
    execFile(
      process.execPath,
      [PROGRAM, ...args],
      { env: { PATH: process.env.PATH, DATABASE_URL: database.url } },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), stdout, stderr: stderr.trim() }),
    ),
  );
}

const isDistributed = (table: string): boolean => DATA_TABLES.some((name) => name === table);

async function column(sql: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(sql, values);
  return rows.map(({ name }) => name);
}

describe('npm run db', () => {
  it('prints the plan on a Postgres without Citus, and refuses to distribute', async () => {
    const planned = await db('plan');
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    expect(planned.stdout.trim().split('\n')).toEqual(
      (await planDistribution(client)).map((statement) => `${statement};`),
    );
    const refused = await db('distribute');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^This Postgres has no Citus: [^\n]+$/);
    for (const args of [[], ['other'], ['plan', 'x']]) expect((await db(...args)).code).toBe(2);
    // Five processes are started.
  });

  it('assigns every table to one group', async () => {
    const groups = [...DATA_TABLES, ...CONTROL_TABLES];
    expect(new Set(groups).size).toBe(groups.length);
    // Decide for each new table: workspace data that grows with scraping is distributed, everything else is not.
    expect(
      await column(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`),
    ).toEqual(groups.sort());
  });

  it('generates statements that leave triggers, and no foreign key between the groups', async () => {
    const calls: string[] = [];
    await client.query('BEGIN');
    try {
      await client.query(
        `CREATE FUNCTION create_distributed_table(t regclass, c text, colocate_with text DEFAULT NULL)
         RETURNS void LANGUAGE sql AS ''`,
      );
      await client.query(
        `CREATE FUNCTION truncate_local_data_after_distributing_table(t regclass) RETURNS void LANGUAGE sql AS ''`,
      );
      const triggers = `SELECT pg_get_triggerdef(oid) AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`;
      const before = await column(triggers);
      for (const statement of await planDistribution(client)) {
        calls.push(...(/create_\w+_table\((.+)\)$/.exec(statement)?.slice(1) ?? []));
        await client.query(statement);
      }
      const left = await client.query<{ from: string; to: string }>(
        `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
         WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
      );
      expect(left.rows.filter(({ from, to }) => isDistributed(from) !== isDistributed(to))).toEqual([]);
      expect(left.rows).toContainEqual({ from: 'jobs', to: 'workspaces' });
      expect(await column(triggers)).toEqual(before);
      expect(left.rows).toContainEqual({ from: 'search_blocks', to: 'search_segments' });
      expect(
        await column(
          `SELECT unnest(setconfig) AS name FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
           WHERE setrole = current_user::regrole AND datname = current_database()`,
        ),
      ).toEqual(['work_mem=64MB', 'jit=off', 'max_parallel_workers_per_gather=0']);
      // Citus does not pass the workspace of a request to its nodes, so policies cannot work.
      expect(await column('SELECT tablename AS name FROM pg_policies')).toEqual([]);
      expect(await column('SELECT relname AS name FROM pg_class WHERE relrowsecurity')).toEqual([]);
      expect(
        await column(`SELECT relname AS name FROM pg_class WHERE relacl::text LIKE '%wss_workspace%'`),
      ).toEqual([]);
    } finally {
      await client.query('ROLLBACK');
    }
    const [first, ...others] = DATA_TABLES;
    expect(calls).toEqual([
      `'${first}', 'workspace_id'`,
      ...others.map((table) => `'${table}', 'workspace_id', colocate_with => '${first}'`),
    ]);
  });
});

describe('distributed tables', () => {
  it('begin every unique index with the workspace, and have no identity columns', async () => {
    expect(
      await column(
        `SELECT i.indexrelid::regclass::text AS name FROM pg_index i
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid::regclass::text = ANY($1) AND i.indisunique AND a.attname <> 'workspace_id'`,
        [DATA_TABLES],
      ),
    ).toEqual([]);
    expect(
      await column(
        `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute
         WHERE attrelid::regclass::text = ANY($1) AND attidentity <> ''`,
        [DATA_TABLES],
      ),
    ).toEqual([]);
  });

  it('get rows from trigger functions by value, for one workspace at a time', async () => {
    const bodies = await column(
      `SELECT prosrc AS name FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
       WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY($1)`,
      [DATA_TABLES],
    );
    expect(bodies.length).toBeGreaterThan(3);
    for (const body of bodies) {
      expect(body).not.toMatch(/\bworkspaces\b|workspace_id = ANY/);
      // Citus does not know transition tables: a query that names one names no other table, and no INSERT selects.
      for (const query of body.split(/;|\bLOOP\b/)) {
        const named = [...query.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING) (\w+)/g)].map(
          ([, name]) => name!,
        );
        const isTransition = named.some((name) => name === 'added' || name === 'removed');
        if (isTransition) expect(named.filter((name) => isDistributed(name))).toEqual([]);
        if (/\bINSERT INTO\b/.test(query)) expect(query).toMatch(/\bVALUES \(/);
      }
    }
  });
});
