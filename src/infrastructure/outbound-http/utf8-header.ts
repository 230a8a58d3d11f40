/** A header as Node.js reads it, in Latin-1, as the UTF-8 text that it is for most servers; unchanged if it is none. */
export function utf8Header(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
