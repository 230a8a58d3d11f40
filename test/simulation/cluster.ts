import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { loadEntities } from '../../src/database/entities.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database.js';

/** More than all processes use at a time, so that none opens a connection while a simulation runs. */
const CONNECTIONS = 24;

/** No limit of the machine's time, which is another one in every run: sockets are pg's own. */
const TIMELESS = { stream: undefined, statement_timeout: 0, idle_in_transaction_session_timeout: 0 };

/**
 * A schema before `pg_catalog`, whose functions take the place of those that read the server's clock or draw ids. So
 * every statement has the time of the simulation without naming it, one that waited for a lock the time after it; default values are bound to the functions by name.
 * `simulated.stored` remembers each post and comment that was stored, with its first text, even when it is erased, and
 * `simulated.ends` how each job ended.
 */
const SIMULATED = `
  CREATE SCHEMA simulated;
  CREATE UNLOGGED TABLE simulated.clock (at timestamptz NOT NULL);
  INSERT INTO simulated.clock VALUES ('2026-01-01Z');
  CREATE SEQUENCE simulated.ids;
  CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM simulated.clock';
  CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM simulated.clock';
  CREATE FUNCTION simulated.gen_random_uuid() RETURNS uuid LANGUAGE sql VOLATILE
    AS $$ SELECT pg_catalog.md5(pg_catalog.nextval('simulated.ids')::text)::uuid $$;
  CREATE FUNCTION simulated.random() RETURNS float8 LANGUAGE sql VOLATILE
    AS $$ SELECT (pg_catalog.nextval('simulated.ids') * 7919 % 1000) / 1000.0::float8 $$;
  CREATE TABLE simulated.stored (workspace_id uuid, kind text, id text, at timestamptz, text text);
  CREATE FUNCTION simulated.note_stored() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO simulated.stored SELECT new.workspace_id, tg_argv[0], row ->> tg_argv[1], simulated.now(),
      concat_ws(' ', row ->> 'title', row ->> 'selftext', row ->> 'body') FROM to_jsonb(new) AS row;
    RETURN NULL;
  END $$;
  CREATE TRIGGER stored AFTER INSERT ON posts FOR EACH ROW EXECUTE FUNCTION simulated.note_stored('posts', 'id');
  CREATE TRIGGER stored AFTER INSERT ON comments
    FOR EACH ROW EXECUTE FUNCTION simulated.note_stored('comments', 'comment_id');
  CREATE TABLE simulated.ends (job_id uuid, status text);
  CREATE FUNCTION simulated.note_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO simulated.ends VALUES (new.id, new.status);
    RETURN NULL;
  END $$;
  CREATE TRIGGER ended AFTER UPDATE ON jobs FOR EACH ROW
    WHEN (old.status IS DISTINCT FROM new.status AND 'running' IS DISTINCT FROM new.status)
    EXECUTE FUNCTION simulated.note_end();
  DO $$
  DECLARE column_default record;
  BEGIN
    FOR column_default IN
      SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', adrelid::regclass, attname,
        regexp_replace(expression, '\\m(now|clock_timestamp|gen_random_uuid)\\(\\)', 'simulated.\\1()', 'g')) AS statement
      FROM (SELECT adrelid, adnum, pg_get_expr(adbin, adrelid) AS expression FROM pg_attrdef) AS defaults
      JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum AND attgenerated = ''
      WHERE expression ~ '\\m(now|clock_timestamp|gen_random_uuid)\\(\\)'
    LOOP
      EXECUTE column_default.statement;
    END LOOP;
    -- Vacuuming changes the order of rows that no statement orders.
    FOR column_default IN SELECT format('ALTER TABLE %s SET (autovacuum_enabled = off)', oid::regclass) AS statement
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    LOOP
      EXECUTE column_default.statement;
    END LOOP;
  END $$`;

/** The database of a simulation. */
export interface SimulatedDatabase {
  dataSource: DataSource;
  /** A connection outside the simulation. */
  control: pg.Client;
  /** Opens connections in place of lost ones. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the database on the server of the test run. */
export async function createSimulatedDatabase(): Promise<SimulatedDatabase> {
  const database = await createTestDatabase();
  const { control, dataSource } = await open(database);
  return {
    control,
    dataSource,
    warm: () => warm((dataSource.driver as PostgresDriver).master as pg.Pool),
    close: async () => {
      await dataSource.destroy();
      await control.end();
      await database.drop();
    },
  };
}

async function open({ url }: TestDatabase): Promise<{ control: pg.Client; dataSource: DataSource }> {
  const setUp = await connect(url);
  await setUp.query(SIMULATED);
  const [{ name }] = (await setUp.query<{ name: string }>('SELECT current_database() AS name')).rows as [
    { name: string },
  ];
  await setUp.query(`ALTER DATABASE ${name} SET search_path = simulated, pg_catalog, public`);
  await setUp.end();
  const options = dataSourceOptions(url, { poolSize: CONNECTIONS });
  const dataSource = await new DataSource({
    ...options,
    extra: { ...options.extra, idleTimeoutMillis: 0, ...TIMELESS },
    entities: await loadEntities(),
    migrations: [],
  }).initialize();
  return { control: await connect(url), dataSource };
}

async function warm(pool: pg.Pool): Promise<void> {
  const missing = CONNECTIONS - pool.totalCount + pool.idleCount;
  const clients = await Promise.all(Array.from({ length: missing }, () => pool.connect()));
  // New ones first: the pool takes those first that were released last, and these know the catalog.
  for (const client of clients.reverse()) client.release();
}
