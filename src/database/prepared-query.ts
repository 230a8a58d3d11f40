import type { ClientBase, Pool, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/**
 * Runs a statement that each connection parses and plans only once; for statements of every batch or request. Use one
 * `name` per statement text. Outside a transaction it uses a connection of the control pool directly, because TypeORM's
 * overhead exceeds the time Postgres needs to read a row by its key.
 */
export async function queryPrepared<T extends QueryResultRow>(
  tx: EntityManager,
  statement: { name: string; text: string },
  values: unknown[],
): Promise<T[]> {
  // TypeORM cannot name a statement, so this uses the transaction's underlying connection.
  if (tx.queryRunner)
    return (await ((await tx.queryRunner.connect()) as ClientBase).query<T>(statement, values)).rows;
  // The pool's own `query` would issue the statement in the scope of the request that frees the connection, and report a
  // lost connection before the client gives the failure its type.
  const client = await ((tx.connection.driver as PostgresDriver).master as Pool).connect();
  let failure: Error | undefined;
  try {
    return (await client.query<T>(statement, values)).rows;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection whose statement failed is closed, as pg's pool does.
    client.release(failure);
  }
}
