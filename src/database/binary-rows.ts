import pg from 'pg';
import { typedFailure } from './postgres-driver.js';
import { type Sql, withLiterals } from './sql.js';

/** Signature and flags of binary COPY; the length of an extension follows. */
const SIGNATURE_BYTES = 15;
const LENGTH_BYTES = 4;
/** In place of the number of fields, after the last row. */
const END = -1;

/**
 * Reads all rows of a SELECT by COPY; each row is the list of its fields in Postgres' binary form, none of them null.
 * Results that pg reads as text take five times as long, because a `bytea` is then hexadecimal; `pg-copy-streams` takes
 * twice as long. Parameters must be of the kinds that `withLiterals` takes. Throws as queries of `PostgresPool` do.
 */
export function readBinary(client: pg.ClientBase, select: Sql): Promise<Buffer[][]> {
  return new Promise((resolve, reject) => {
    const query = new BinaryQuery(`COPY (${withLiterals(select)}) TO STDOUT (FORMAT binary)`, (error) => {
      if (error) reject(typedFailure(error));
      else resolve(query.received);
    });
    client.query(query);
  });
}

/** Collects what COPY sends. */
class BinaryQuery extends pg.Query {
  readonly received: Buffer[][] = [];
  private isFirst = true;

  /** Called by pg with each message, which contains one row; the first begins with a header. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    let at = this.isFirst ? SIGNATURE_BYTES + LENGTH_BYTES + chunk.readInt32BE(SIGNATURE_BYTES) : 0;
    this.isFirst = false;
    const fields = chunk.readInt16BE(at);
    if (fields === END) return;
    at += 2;
    const row: Buffer[] = [];
    while (row.length < fields) {
      const start = at + LENGTH_BYTES;
      at = start + chunk.readInt32BE(at);
      // A copy: pg writes later messages over this one, and one field must not keep the memory of all.
      row.push(Buffer.from(chunk.subarray(start, at)));
    }
    this.received.push(row);
  }
}
