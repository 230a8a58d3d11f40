const MASK = '***';

/** A URL with only scheme and host, since the rest can be a credential; a mask alone for other texts. */
export function maskUrl(url: string): string {
  if (!URL.canParse(url)) return MASK;
  // Not its origin, which is opaque except for the schemes of the web.
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}/${MASK}`;
}

/** Whether a URL was masked by {@link maskUrl}. */
export function isMaskedUrl(url: string): boolean {
  return url === MASK || url.endsWith(`/${MASK}`);
}
