import type { DataSource } from 'typeorm';

/** Tables whose rows workers hold by leases: `lease_owner`, `lease_until`, `attempts`. */
type LeasedTable = 'datasets' | 'exports';

/** The row of a workspace that a worker holds. */
export interface Lease {
  workspaceId: string;
  id: string;
  owner: string;
}

/** How long another worker waits, and whether the attempt counts, which a planned stop does not. */
export interface LeaseRelease {
  countsAttempt: boolean;
  delayMs: number;
}

/** Renews a lease; false when its owner has lost it. Times are the database's. */
export async function prolongLease(
  database: DataSource,
  table: LeasedTable,
  { workspaceId, id, owner }: Lease,
  leaseMs: number,
): Promise<boolean> {
  const [, held] = await database.query<[unknown[], number]>(
    `UPDATE ${table} SET lease_until = clock_timestamp() + $4 * interval '1 millisecond'
     WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3`,
    [workspaceId, id, owner, leaseMs],
  );
  return held === 1;
}

/** Gives a lease back, so that any worker can continue the work after the delay. */
export async function releaseLease(
  database: DataSource,
  table: LeasedTable,
  { workspaceId, id, owner }: Lease,
  { countsAttempt, delayMs }: LeaseRelease,
): Promise<void> {
  await database.query(
    `UPDATE ${table} SET lease_owner = NULL, lease_until = clock_timestamp() + $5 * interval '1 millisecond',
       attempts = attempts - $4
     WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3`,
    [workspaceId, id, owner, countsAttempt ? 0 : 1, delayMs],
  );
}
