import { createHash } from 'node:crypto';

/** SHA-256 of method, address and body, whatever the order of the body's fields. */
export function fingerprintOf(method: string, address: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, address]))
    .update(canonical(body) ?? '')
    .digest();
}

/** Recursive: the depth of bodies is limited before. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
