import { ValidateBy } from 'class-validator';
import { isTimeZone } from '../cron/time-zone.js';

const MAX_BYTES = 16_384;
const MAX_DEPTH = 16;
/** Postgres cannot store these in a JSON document. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Why a config cannot be kept as sent; null when it can. */
export function configProblem(config: Record<string, unknown>): string | null {
  if (!isStorable(config, MAX_DEPTH))
    return `config must not nest deeper than ${MAX_DEPTH} levels nor hold NUL or broken Unicode characters`;
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_BYTES)
    return `config must be at most ${MAX_BYTES} bytes of JSON`;
  return null;
}

function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return (
    levels > 0 &&
    Object.entries(value).every(([key, inner]) => !UNSTORABLE.test(key) && isStorable(inner, levels - 1))
  );
}

export const IsIanaTimeZone = (): PropertyDecorator =>
  ValidateBy({
    name: 'isIanaTimeZone',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => 'timezone must be an IANA time zone name such as Europe/Berlin',
    },
  });
