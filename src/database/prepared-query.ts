import type { ClientBase, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';

/**
 * Rows of a statement that each connection parses and plans once; for statements that run with every batch. `name`
 * stands for this text alone. Outside a transaction it is an ordinary query.
 */
export async function queryPrepared<T extends QueryResultRow>(
  tx: EntityManager,
  statement: { name: string; text: string },
  values: unknown[],
): Promise<T[]> {
  if (!tx.queryRunner) return tx.query<T[]>(statement.text, values);
  // TypeORM has no way to name a statement; this is the transaction's own connection.
  const client = (await tx.queryRunner.connect()) as ClientBase;
  return (await client.query<T>({ ...statement, values })).rows;
}
