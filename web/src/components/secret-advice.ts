import { commonTexts } from '../texts/common.ts';

const ADVISED_BYTES = 24;
const PREFIX = 'whsec_';
const ENCODED = /^(?:[A-Za-z\d+/]{4})*[A-Za-z\d+/]{2,4}(?=={0,2}$)/;

/** What to improve in a typed signing secret, which the API takes all the same; undefined for nothing. */
export function secretAdvice(secret: string): string | undefined {
  if (secret === '') return undefined;
  const encoded = secret.startsWith(PREFIX) ? ENCODED.exec(secret.slice(PREFIX.length))?.[0] : undefined;
  if (secret.startsWith(PREFIX) && encoded === undefined) return commonTexts.secretNotEncoded;
  const bytes =
    encoded === undefined ? new TextEncoder().encode(secret).length : Math.floor((encoded.length * 3) / 4);
  return bytes < ADVISED_BYTES ? commonTexts.secretShort : undefined;
}
