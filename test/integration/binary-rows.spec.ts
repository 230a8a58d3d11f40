import pg from 'pg';
import { DependencyUnavailableError } from '../../src/common/dependency-unavailable.js';
import { readBinary } from '../../src/database/binary-rows.js';
import { PostgresPool } from '../../src/database/postgres-driver.js';
import type { Sql } from '../../src/database/sql.js';
import { createTestDatabase } from '../support/database.js';

const sql = (text: string, ...parameters: unknown[]): Sql => ({ text, parameters });

const database = await createTestDatabase();
const pool = new PostgresPool({ connectionString: database.url });

describe('rows read in binary form', () => {
  let client: pg.PoolClient;

  beforeEach(async () => {
    client = await pool.connect();
  });
  afterEach(() => client.release(true));
  afterAll(async () => {
    await pool.end();
  });

  it('have every byte as written, in fields of any length', async () => {
    // Many are the size of a network packet, because pg reuses the memory of earlier ones.
    const lengths = [0, 1, 255, 4_096, 70_000, 3_000_000, ...Array.from({ length: 300 }, () => 20_000)];
    const written = lengths.map((length, number) =>
      Buffer.from(Uint8Array.from({ length }, (_, index) => index * (2 * number + 1))),
    );
    await client.query('CREATE TEMP TABLE kept (number int, data bytea)');
    await client.query('INSERT INTO kept SELECT * FROM unnest($1::int[], $2::bytea[])', [
      written.map((_, number) => number),
      written,
    ]);
    const read = await readBinary(client, sql('SELECT data, number FROM kept ORDER BY number'));
    expect(read.map(([, number]) => number!.readInt32BE())).toEqual(written.map((_, number) => number));
    expect(read.map(([data], number) => data!.equals(written[number]!))).not.toContain(false);
    expect(read).toHaveLength(written.length);
  });

  it('may be empty', async () => {
    expect(await readBinary(client, sql('SELECT 1 WHERE 1 = ANY ($1::int[])', '{2,3}'))).toEqual([]);
  });

  it('fail with the error of the statement, and leave the connection usable', async () => {
    await expect(
      readBinary(client, sql('SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n')),
    ).rejects.toThrow(pg.DatabaseError);
    expect(await readBinary(client, sql('SELECT 7'))).toEqual([[Buffer.from([0, 0, 0, 7])]]);
    expect((await client.query('SELECT 7 AS seven')).rows).toEqual([{ seven: 7 }]);
  });

  it('fail with the type of lost connections when the connection is lost', async () => {
    const { processID } = client as unknown as { processID: number };
    const read = readBinary(client, sql('SELECT pg_sleep(60)'));
    const failed = expect(read).rejects.toThrow(DependencyUnavailableError);
    // Destroying the socket simulates a lost network.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await failed;
    await pool.query('SELECT pg_terminate_backend($1)', [processID]);
    await expect(readBinary(client, sql('SELECT 1'))).rejects.toThrow(DependencyUnavailableError);
  });
});
