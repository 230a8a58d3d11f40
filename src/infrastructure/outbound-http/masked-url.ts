const MASK = '***';

/** A URL with only scheme and host, since the rest can be a credential; a mask alone for other texts. */
export function maskUrl(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}/${MASK}` : MASK;
}

/** Whether a URL was masked by {@link maskUrl}. */
export function isMaskedUrl(url: string): boolean {
  return url === MASK || url.endsWith(`/${MASK}`);
}
