/** Postgres, Redis or the queue is currently unavailable; the same operation may succeed later. */
export class DependencyUnavailableError extends Error {
  constructor(
    readonly dependency: 'Postgres' | 'Redis',
    options?: { cause?: unknown },
  ) {
    super(`${dependency} is unavailable`, options);
    this.name = 'DependencyUnavailableError';
  }
}

/** Serialization failure, deadlock, lock not available. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (also statement timeouts). */
const UNAVAILABLE_SQLSTATE = /^(08|53|57)\w{3}$/;
/** Citus reports a connection to a node that is lost within a transaction as an internal error. */
const CITUS_LOST_NODE = 'failure on connection marked as essential';
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/**
 * Whether an error means that Postgres or Redis is currently unavailable. Recognises
 * {@link DependencyUnavailableError}, SQLSTATEs, socket errors, and TypeORM errors that wrap any of these.
 */
export function isDependencyUnavailable(error: unknown): boolean {
  if (error instanceof DependencyUnavailableError) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, syscall, driverError } = error as Record<string, unknown>;
  if (typeof code === 'string') {
    if (code === 'XX000') return String(message).startsWith(CITUS_LOST_NODE);
    if (SOCKET_CODES.has(code) || UNAVAILABLE_SQLSTATE.test(code)) return true;
    // A missing file has the same error code as a missing database socket.
    if (code === 'ENOENT') return syscall === 'connect';
  }
  return driverError !== undefined && isDependencyUnavailable(driverError);
}

/** SQLSTATE of a statement that exceeded its time limit, which is the failure of that statement only. */
const QUERY_CANCELED = '57014';

/** As {@link isDependencyUnavailable}, except for a statement that exceeded its time limit: others would fail, too. */
export function isServerUnavailable(error: unknown): boolean {
  // TypeORM copies the code of the driver's error.
  const { code } = (error ?? {}) as { code?: unknown };
  return code !== QUERY_CANCELED && isDependencyUnavailable(error);
}

/** Whether the same transaction may succeed later: it conflicted with another one, or Postgres was unavailable. */
export function mayPass(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return (typeof code === 'string' && CONFLICTS.has(code)) || isDependencyUnavailable(error);
}
