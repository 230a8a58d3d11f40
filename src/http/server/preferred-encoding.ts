import type { Request } from 'express';

const ACCEPTED = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/i;

/**
 * The encoding with the highest quality in `Accept-Encoding` (RFC 9110, 12.5.3), of equal ones the first of `names`; null
 * when the client accepts none of them or prefers the bytes as they are.
 */
export function preferredEncoding(
  { headers }: Pick<Request, 'headers'>,
  names: readonly string[],
): string | null {
  const qualities = qualitiesOf(String(headers['accept-encoding'] ?? ''));
  let [best, least]: [string | null, number] = [null, qualities.get('identity') ?? 0];
  for (const name of names) {
    const quality = qualities.get(name) ?? qualities.get('*') ?? 0;
    if (quality <= 0 || quality < least || (quality === least && best !== null)) continue;
    [best, least] = [name, quality];
  }
  return best;
}

/** The quality of each encoding that a client lists; what cannot be read is left out. */
function qualitiesOf(accepted: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const one of accepted.split(',')) {
    const [, name, quality = '1'] = ACCEPTED.exec(one) ?? [];
    if (name !== undefined) qualities.set(name.toLowerCase().replace(/^x-/, ''), Number(quality));
  }
  return qualities;
}
