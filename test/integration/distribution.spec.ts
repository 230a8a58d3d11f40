import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import ts from 'typescript';
import {
  CONTROL_TABLES,
  DATA_TABLES,
  planDistribution,
  REFERENCE_TABLE,
} from '../../src/cli/distribution/plan.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database.js';

const PROGRAM = join(import.meta.dirname, '../../src/cli/db.js');
/** Compiled tests run from `dist`; statements are read from the sources. */
const SOURCE = resolve(import.meta.dirname, '../../../src');
const DATA = DATA_TABLES.join('|');

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await connect(database.url);
});

afterAll(async () => {
  await client.end();
  await database.drop();
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
  });

  it('assigns every table to one group', async () => {
    const groups = [...DATA_TABLES, ...CONTROL_TABLES, REFERENCE_TABLE];
    expect(new Set(groups).size).toBe(groups.length);
    // Decide for each new table: workspace data that grows with scraping is distributed, everything else is not.
    expect(
      await column(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`),
    ).toEqual(groups.sort());
  });

  it('generates statements that leave no foreign key between the groups', async () => {
    const calls: string[] = [];
    await client.query('BEGIN');
    try {
      for (const signature of [
        'create_reference_table(t regclass)',
        'create_distributed_table(t regclass, c text, colocate_with text DEFAULT NULL)',
      ])
        await client.query(`CREATE FUNCTION ${signature} RETURNS void LANGUAGE sql AS ''`);
      for (const statement of await planDistribution(client)) {
        calls.push(...(/create_\w+_table\((.+)\)$/.exec(statement)?.slice(1) ?? []));
        await client.query(statement);
      }
      const left = await client.query<{ from: string; to: string }>(
        `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
         WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
      );
      const isData = (table: string): boolean => DATA_TABLES.some((name) => name === table);
      expect(
        left.rows.filter(({ from, to }) => to !== REFERENCE_TABLE && isData(from) !== isData(to)),
      ).toEqual([]);
      expect(left.rows).toContainEqual({ from: 'posts', to: 'workspaces' });
      // Citus does not pass the workspace of a request to its nodes, so policies cannot work.
      expect(await column('SELECT tablename AS name FROM pg_policies')).toEqual([]);
      expect(await column('SELECT relname AS name FROM pg_class WHERE relrowsecurity')).toEqual([]);
      expect(
        await column(`SELECT relname AS name FROM pg_class WHERE relacl::text LIKE '%wss_workspace%'`),
      ).toEqual([]);
      expect(left.rows).toContainEqual({ from: 'job_media', to: 'job_posts' });
    } finally {
      await client.query('ROLLBACK');
    }
    const [first, ...others] = DATA_TABLES;
    expect(calls).toEqual([
      `'${REFERENCE_TABLE}'`,
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

  it('are locked by trigger functions for one workspace at a time', async () => {
    const bodies = await column(
      `SELECT prosrc AS name FROM pg_proc WHERE proname IN ('count_posts', 'count_comments')`,
    );
    expect(bodies).toHaveLength(2);
    for (const body of bodies) {
      expect(body).toContain('FOREACH one IN ARRAY touched');
      expect(body).not.toContain('workspace_id = ANY');
    }
  });

  /** Every string in the sources with its location; of a template the whole text, with its expressions as written. */
  const statements = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => !/migrations|^cli[\\/]/.test(file))
    .flatMap((file) => {
      const source = ts.createSourceFile(
        file,
        readFileSync(join(SOURCE, file), 'utf8'),
        ts.ScriptTarget.ESNext,
        true,
      );
      const found: { place: string; text: string }[] = [];
      const visit = (node: ts.Node): void => {
        if (
          ts.isStringLiteral(node) ||
          ts.isNoSubstitutionTemplateLiteral(node) ||
          ts.isTemplateExpression(node)
        ) {
          const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
          found.push({ place: `src/${file}:${line}`, text: node.getText() });
        } else ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
  const placesOf = (breaks: (text: string) => boolean): string[] =>
    statements.filter(({ text }) => breaks(text)).map(({ place }) => place);

  it('are read from the sources', () => {
    expect(placesOf((text) => new RegExp(`\\bUPDATE (${DATA})\\b`).test(text)).length).toBeGreaterThan(2);
  });

  it('are not locked by statements that cross workspaces', () => {
    expect(
      placesOf(
        (text) =>
          /\bFOR (NO KEY )?(UPDATE|SHARE)\b/.test(text) &&
          new RegExp(`\\b(FROM|JOIN) (${DATA})\\b`).test(text) &&
          // All rows of one workspace are on one server.
          !new RegExp(
            `\\b(FROM|JOIN) (${DATA})(\\s+(AS )?\\w+)?\\s+WHERE (\\w+\\.)?workspace_id = \\$\\{?\\w`,
          ).test(text),
      ),
    ).toEqual([]);
  });

  it('are changed without volatile functions', () => {
    expect(
      placesOf(
        (text) =>
          new RegExp(`\\b(UPDATE|DELETE FROM) (${DATA})\\b`).test(text) &&
          /\b(clock_timestamp|random|gen_random_uuid|timeofday)\(/.test(text),
      ),
    ).toEqual([]);
  });
});
