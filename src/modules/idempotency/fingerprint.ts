import { createHash } from 'node:crypto';

/** SHA-256 of what is asked: method, address and body. The order of a body's fields does not matter. */
export function fingerprintOf(method: string, address: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, address]))
    .update(canonical(body) ?? '')
    .digest();
}

/** Bodies reach this at a bounded depth. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
