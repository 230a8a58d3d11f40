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
  // TypeORM cannot name a statement, so this uses its underlying connection or pool.
  const connection = tx.queryRunner
    ? ((await tx.queryRunner.connect()) as ClientBase)
    : ((tx.connection.driver as PostgresDriver).master as Pool);
  return (await connection.query<T>(statement, values)).rows;
}
