/** A link to the next page in a `Link` header. A link has one or more relations, with or without quotes. */
const NEXT = /<([^<>]*)>[^<>]*;\s*rel\s*=\s*(?:next(?=[\s,;]|$)|"(?:[^"<>]*\s)?next[\s"])/i;

/** The query of the address of the next page in a `Link` header (RFC 8288); null when it names none. */
export function nextQuery(link: string): URLSearchParams | null {
  const [, address] = NEXT.exec(link) ?? [];
  return address === undefined ? null : new URLSearchParams(address.slice(address.indexOf('?') + 1));
}
