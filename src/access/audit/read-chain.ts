import type { RunSql } from '../../database/run-sql.js';
import {
  CHAINED_COLUMNS,
  type ChainFault,
  type ChainPosition,
  followChain,
  type SealedEntry,
} from './audit-chain.js';

/** Entries that are held in memory at once. */
const PAGE = 1_000;

/** Both ends of the chain: `begin` is the position before the oldest kept entry, `end` that of the newest. */
export interface ChainEnds {
  begin: ChainPosition;
  end: ChainPosition;
}

/** The ends of the chain; null before its first entry. */
export async function chainEnds(run: RunSql): Promise<ChainEnds | null> {
  const [row] = await run<{ sequence: string; hash: Buffer; prunedSequence: string; prunedHash: Buffer }>(
    `SELECT sequence, hash, pruned_sequence AS "prunedSequence", pruned_hash AS "prunedHash" FROM audit_chain`,
  );
  return row === undefined
    ? null
    : {
        begin: { sequence: BigInt(row.prunedSequence), hash: row.prunedHash },
        end: { sequence: BigInt(row.sequence), hash: row.hash },
      };
}

/** Number of the entries that have waited for longer than a minute to be sealed, counted up to 1,000. */
export async function unsealedCount(run: RunSql): Promise<number> {
  const [row] = await run<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM audit_entries WHERE sequence IS NULL AND status IS NOT NULL
         AND recorded_at < clock_timestamp() - interval '1 minute' LIMIT 1000) AS waiting`,
  );
  return row!.count;
}

/** The sealed entries after a number, in order, page by page. */
export async function* sealedEntries(run: RunSql, after: bigint): AsyncGenerator<SealedEntry[]> {
  for (let last = after; ;) {
    const page = await run<SealedEntry>(
      `SELECT sequence, hash, ${CHAINED_COLUMNS} FROM audit_entries WHERE sequence > ${last} ORDER BY sequence LIMIT ${PAGE}`,
    );
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = BigInt(page.at(-1)!.sequence);
  }
}

/**
 * Checks all entries after a number up to the end of the chain, which is read first; returns the first fault, or the
 * number of checked entries. `onPage` is called with the number up to which entries were checked.
 */
export async function checkChain(
  run: RunSql,
  after: bigint,
  onPage: (checked: bigint) => void = () => undefined,
): Promise<ChainFault | { checked: number }> {
  const ends = await chainEnds(run);
  if (ends === null) return { checked: 0 };
  const start = await positionAt(run, after, ends);
  if (start === null) return { sequence: String(after), fault: 'missing' };
  let position = start;
  for await (const page of sealedEntries(run, start.sequence)) {
    const followed = followChain(position, page);
    if ('fault' in followed) return followed;
    position = followed;
    onPage(position.sequence);
  }
  // Entries can be sealed during the check, so the chain may be longer than its end was.
  return position.sequence < ends.end.sequence
    ? { sequence: String(position.sequence + 1n), fault: 'missing' }
    : { checked: Number(position.sequence - start.sequence) };
}

/** The position after the entry with this number; that before the oldest kept entry if it was deleted by age. */
async function positionAt(
  run: RunSql,
  sequence: bigint,
  { begin }: ChainEnds,
): Promise<ChainPosition | null> {
  if (sequence <= begin.sequence) return begin;
  const [row] = await run<{ hash: Buffer }>(`SELECT hash FROM audit_entries WHERE sequence = ${sequence}`);
  return row === undefined ? null : { sequence, hash: row.hash };
}
