import { type DataSource, EntityManager } from 'typeorm';

/** Where rows are read: on any connection, or as a transaction sees them. */
type Reader = DataSource | EntityManager;

/** The number of rows and a digest of them, by table, so that a difference shows which tables changed. */
export type RowDigests = Record<string, string>;

/** Columns that reading may change, or that are derived from others and take long to print. */
const LEFT_OUT = ['last_used_at', 'search'];

/** Digests a workspace's rows in all tables, so that new tables are covered too. */
export function digestWorkspace(reader: Reader, workspaceId: string): Promise<RowDigests> {
  return digest(reader, `= '${workspaceId}'`);
}

/** Digests the rows of all workspaces. */
export function digestAll(reader: Reader): Promise<RowDigests> {
  return digest(reader, 'IS NOT NULL');
}

/** Every uuid in the rows of a workspace. */
export async function uuidsOfWorkspace(reader: Reader, workspaceId: string): Promise<Set<string>> {
  const found = await reader.query<{ uuid: string }[]>(
    (await tenantTables(reader))
      .map(
        ({ name, column }) =>
          `SELECT DISTINCT (regexp_matches(to_jsonb(t)::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g'))[1] AS uuid
           FROM "${name}" AS t WHERE t."${column}" = $1`,
      )
      .join(' UNION '),
    [workspaceId],
  );
  return new Set(found.map(({ uuid }) => uuid));
}

/** Gives a new workspace a copy of every row of another, with the same ids. */
export async function copyWorkspace(dataSource: DataSource, from: string, to: string): Promise<void> {
  const columns = await dataSource.query<{ table: string; names: string[] }[]>(
    `SELECT table_name AS table, array_agg(quote_ident(column_name)) AS names FROM information_schema.columns
     WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY table_name`,
  );
  const namesOf = new Map(columns.map(({ table, names }) => [table, names]));
  const tables = await tenantTables(dataSource);
  await dataSource.transaction(async (tx) => {
    // Without triggers and foreign keys: what they would do is among the rows.
    await tx.query('SET LOCAL session_replication_role = replica');
    for (const { name, column } of tables) {
      const names = namesOf.get(name)!;
      const copied = names.map((each) => (each === column ? '$2' : each));
      await tx.query(
        `INSERT INTO "${name}" (${names.join()}) OVERRIDING SYSTEM VALUE
         SELECT ${copied.join()} FROM "${name}" WHERE "${column}" = $1 ON CONFLICT DO NOTHING`,
        [from, to],
      );
    }
  });
}

interface TenantTable {
  name: string;
  /** The column with the workspace's id. */
  column: string;
  /** The quoted columns that a digest contains. */
  digested: string;
}

async function digest(reader: Reader, condition: string): Promise<RowDigests> {
  const found = await reader.query<{ name: string; digest: string }[]>(
    (await tenantTables(reader))
      .map(
        ({ name, column, digested }) =>
          `SELECT '${name}' AS name, count(*) || ' rows: ' || sum(hashtextextended(ROW(${digested})::text, 0)) AS digest
           FROM "${name}" WHERE "${column}" ${condition}`,
      )
      .join(' UNION ALL '),
  );
  return Object.fromEntries(found.map(({ name, digest }) => [name, digest]));
}

const tablesOf = new WeakMap<DataSource, Promise<TenantTable[]>>();

function tenantTables(reader: Reader): Promise<TenantTable[]> {
  const dataSource = reader instanceof EntityManager ? reader.dataSource : reader;
  let tables = tablesOf.get(dataSource);
  if (tables === undefined) {
    tables = dataSource.query<TenantTable[]>(
      `SELECT table_name AS name, own.column_name AS column, string_agg(quote_ident(each.column_name), ',') AS digested
       FROM information_schema.columns AS own
       JOIN information_schema.tables USING (table_schema, table_name)
       JOIN information_schema.columns AS each USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND each.column_name <> ALL ($1)
         AND (own.column_name = 'workspace_id' OR (table_name = 'workspaces' AND own.column_name = 'id'))
       GROUP BY table_name, own.column_name ORDER BY table_name`,
      [LEFT_OUT],
    );
    tablesOf.set(dataSource, tables);
  }
  return tables;
}
