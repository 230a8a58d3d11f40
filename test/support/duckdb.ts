import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * The rows that DuckDB reads from Parquet files with a query over the table `files`, with values in DuckDB's JSON
 * format.
 */
export async function queryParquet<Row extends object>(
  files: readonly Uint8Array[],
  sql: string,
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parquet-'));
  const instance = await DuckDBInstance.create(':memory:');
  try {
    for (const [index, bytes] of files.entries()) await writeFile(join(folder, `${index}.parquet`), bytes);
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(`CREATE VIEW files AS SELECT * FROM read_parquet('${folder}/*.parquet')`);
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
    connection.closeSync();
    return rows;
  } finally {
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}
