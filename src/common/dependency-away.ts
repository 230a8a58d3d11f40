/** Postgres error classes that mean "not now": connection exceptions, resources, operator intervention, time-out. */
const POSTGRES_AWAY = /^(08|53|57)/;
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENOENT',
]);
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Connection is closed|max retries per request|Queue did not answer|Redis did not answer|Query read timeout|Client has encountered a connection error|Driver not Connected|Command timed out/i;

/** Whether an error says that Postgres or Redis cannot be reached right now. */
export function isDependencyAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || (code.length === 5 && POSTGRES_AWAY.test(code))))
    return true;
  return MESSAGES.test(error.message) || isDependencyAway((error as { driverError?: unknown }).driverError);
}
