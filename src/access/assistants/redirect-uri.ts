/** Hosts that are the person's own machine, where programs listen at a port that is free when they start. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_LENGTH = 300;

/**
 * Whether an assistant may have its answer sent there: to an HTTPS address, or to a program on the person's machine. Any
 * other scheme would let a page or another program take the answer.
 */
export function isAllowedRedirect(text: string): boolean {
  // Other characters would change when the address is parsed and written again.
  if (text.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(text) || /[#\\]/.test(text)) return false;
  const url = parsed(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isLoopback(url);
}

/** Whether a requested address is one of those registered. Only the port of a loopback address may differ (RFC 8252, 7.3). */
export function isRegistered(requested: string, registered: readonly string[]): boolean {
  if (!isAllowedRedirect(requested)) return false;
  return registered.some((one) => one === requested || withoutPort(one) === withoutPort(requested));
}

/** Whether an address belongs to a program on the person's machine. */
export const isLoopback = (url: URL): boolean => url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname);

/** A loopback address without its port; any other address as it is. */
function withoutPort(text: string): string {
  const url = parsed(text);
  if (url === null || !isLoopback(url)) return text;
  url.port = '';
  return url.href;
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
