import type { ClientBase, Pool, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/**
 * Rows of a statement that each connection parses and plans once; for statements that run with every batch or request.
 * `name` stands for this text alone. Outside a transaction it runs on a connection of the control pool, past TypeORM, whose
 * own work takes longer than Postgres needs to read a row by its key.
 */
export async function queryPrepared<T extends QueryResultRow>(
  tx: EntityManager,
  statement: { name: string; text: string },
  values: unknown[],
): Promise<T[]> {
  // TypeORM has no way to name a statement; this is the transaction's own connection.
  if (tx.queryRunner)
    return (await ((await tx.queryRunner.connect()) as ClientBase).query<T>({ ...statement, values })).rows;
  const client = await ((tx.connection.driver as PostgresDriver).master as Pool).connect();
  let failure: Error | undefined;
  try {
    return (await client.query<T>({ ...statement, values })).rows;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection on which a statement failed is closed, as pg's pool does it.
    client.release(failure);
  }
}
