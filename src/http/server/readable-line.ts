/** Fields of pino's lines that a person at a terminal does not need. */
const HIDDEN: ReadonlySet<string> = new Set([
  ...['level', 'time', 'pid', 'hostname', 'msg', 'err', 'stack', 'context', 'requestId'],
  ...['method', 'path', 'status', 'durationMs', 'address', 'workspaceId', 'keyId'],
]);
const LEVELS: Readonly<Record<number, string>> = {
  20: 'debug',
  30: '',
  40: 'warn ',
  50: 'ERROR',
  60: 'FATAL',
};
/** Such characters in strangers' texts could move the cursor or colour the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
const MAX_FIELDS_LENGTH = 200;

/** One JSON line of the log as a line for a terminal: local time, level above information, words, error. */
export function readableLine(json: string): string {
  const line = JSON.parse(json) as Record<string, unknown>;
  const { method, path, status, durationMs, err } = line;
  const words =
    method === undefined
      ? [text(line.msg), fieldsOf(line)]
      : [`${text(method)} ${text(path)} ${text(status)} ${text(durationMs)} ms`];
  const error = text((err as { message?: unknown } | undefined)?.message);
  const time = new Date(line.time as number).toTimeString().slice(0, 8);
  const level = LEVELS[line.level as number] ?? '';
  return `${[time, level, ...words, error].filter((part) => part !== '').join(' ')}\n`;
}

const fieldsOf = (line: Record<string, unknown>): string =>
  Object.entries(line)
    .filter(([name, value]) => !HIDDEN.has(name) && typeof value !== 'object')
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(' ')
    .slice(0, MAX_FIELDS_LENGTH);

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).replace(CONTROL, ' ')
    : '';
