import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { chainHash, CHAINED_COLUMNS, type ChainedEntry } from './audit-chain.js';

/** An entry without an outcome belongs to a process that was killed, or to a command that lasts longer than a day. */
const SEALABLE = `sequence IS NULL AND (status IS NOT NULL OR recorded_at < clock_timestamp() - interval '1 day')`;

/** Seals entries of `audit_entries`, and deletes the oldest sealed ones. For operators only: no workspace id. */
@Injectable()
export class AuditChainRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Appends up to `limit` entries whose outcome is known to the chain, oldest first; returns how many. Returns 0 while
   * another process does.
   */
  async seal(limit: number): Promise<number> {
    const waiting = await this.dataSource.query<unknown[]>(
      `SELECT FROM audit_entries WHERE ${SEALABLE} LIMIT 1`,
    );
    if (waiting.length === 0) return 0;
    await this.dataSource.query(
      `INSERT INTO audit_chain (hash, pruned_hash) VALUES ('', '') ON CONFLICT DO NOTHING`,
    );
    return this.dataSource.transaction(async (tx) => {
      const [head] = await tx.query<{ sequence: string; hash: Buffer }[]>(
        'SELECT sequence, hash FROM audit_chain FOR UPDATE SKIP LOCKED',
      );
      if (head === undefined) return 0;
      const entries = await tx.query<Omit<ChainedEntry, 'sequence'>[]>(
        `SELECT ${CHAINED_COLUMNS} FROM audit_entries WHERE ${SEALABLE} ORDER BY recorded_at, id LIMIT $1 FOR UPDATE`,
        [limit],
      );
      let { hash } = head;
      const hashes = entries.map((entry, index) => {
        const sequence = String(BigInt(head.sequence) + BigInt(index) + 1n);
        return (hash = chainHash(hash, { ...entry, sequence }));
      });
      await tx.query(
        `UPDATE audit_entries SET sequence = $1::bigint + place, hash = sealed.hash
         FROM unnest($2::uuid[], $3::bytea[]) WITH ORDINALITY AS sealed (id, hash, place)
         WHERE audit_entries.id = sealed.id`,
        [head.sequence, entries.map(({ id }) => id), hashes],
      );
      await tx.query('UPDATE audit_chain SET sequence = sequence + $1, hash = $2', [entries.length, hash]);
      return entries.length;
    });
  }

  /**
   * Deletes up to `limit` sealed entries older than `days` from the begin of the chain, and keeps the hash of the last
   * of them; returns how many.
   */
  async deleteOlderThan(days: number, limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `WITH oldest AS MATERIALIZED (
         SELECT sequence, hash, recorded_at FROM audit_entries
         WHERE sequence > (SELECT pruned_sequence FROM audit_chain) ORDER BY sequence LIMIT $2
       ), expired AS (
         SELECT sequence, hash,
           bool_and(recorded_at < clock_timestamp() - $1 * interval '1 day') OVER (ORDER BY sequence) AS is_expired
         FROM oldest
       ), last AS (
         SELECT sequence, hash FROM expired WHERE is_expired ORDER BY sequence DESC LIMIT 1
       ), moved AS (
         UPDATE audit_chain SET pruned_sequence = last.sequence, pruned_hash = last.hash FROM last
         WHERE pruned_sequence < last.sequence
       )
       DELETE FROM audit_entries USING last WHERE audit_entries.sequence <= last.sequence`,
      [days, limit],
    );
    return deleted;
  }
}
