import { createHash } from 'node:crypto';
import type { AuditEntry } from './audit-entry.entity.js';

/** An entry as it is hashed. `time` is the number of microseconds since 1970, `sequence` its place in the chain. */
export interface ChainedEntry extends Omit<AuditEntry, 'sequence' | 'hash' | 'recordedAt' | 'details'> {
  sequence: string;
  time: string;
}

/** An entry with the hash that was stored when it was sealed. */
export type SealedEntry = ChainedEntry & { hash: Buffer };

/** The place before an entry: the number and hash of its predecessor. */
export interface ChainPosition {
  sequence: bigint;
  hash: Buffer;
}

/** The first sealed entry that does not continue the chain. */
export interface ChainFault {
  sequence: string;
  /** `missing` when an entry with this number is absent, `changed` when it differs from its sealed form. */
  fault: 'missing' | 'changed';
}

/** SQL for the columns of a {@link ChainedEntry}, without its sequence. */
export const CHAINED_COLUMNS = `id, (extract(epoch FROM recorded_at) * 1000000)::bigint::text AS time, actor,
  actor_name AS "actorName", ip, action, target_workspace_id AS "targetWorkspaceId", resource, fields, status,
  request_id AS "requestId"`;

/** The hash of an entry that follows the entry with hash `previous`; empty before the first. */
export function chainHash(previous: Buffer, entry: ChainedEntry): Buffer {
  const { sequence, id, time, actor, actorName, ip, action, targetWorkspaceId, fields, status, requestId } =
    entry;
  const resource = Object.entries(entry.resource).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([
    ...[sequence, id, time, actor, actorName, ip, action, targetWorkspaceId, resource, fields],
    ...[status, requestId],
  ]);
  return createHash('sha256').update(previous).update(text).digest();
}

/**
 * Whether entries, in the order of their numbers, continue the chain after a position: the position after the last of
 * them, or the first fault.
 */
export function followChain(
  after: ChainPosition,
  entries: readonly SealedEntry[],
): ChainPosition | ChainFault {
  let { sequence, hash } = after;
  for (const entry of entries) {
    sequence += 1n;
    if (BigInt(entry.sequence) !== sequence) return { sequence: String(sequence), fault: 'missing' };
    hash = chainHash(hash, entry);
    if (!hash.equals(entry.hash)) return { sequence: String(sequence), fault: 'changed' };
  }
  return { sequence, hash };
}
