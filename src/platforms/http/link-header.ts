/** A link to the next page in a `Link` header. */
const NEXT = /<([^<>]*)>[^<>]*\brel="?next\b/i;

/** The query of the address of the next page in a `Link` header (RFC 8288); null when it names none. */
export function nextQuery(link: string): URLSearchParams | null {
  const [, address] = NEXT.exec(link) ?? [];
  return address === undefined ? null : new URLSearchParams(address.slice(address.indexOf('?') + 1));
}
