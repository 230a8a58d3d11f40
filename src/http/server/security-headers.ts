import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * Middleware that sets the headers of `helmet`. They are the same for every response, so that helmet's thirteen steps
 * run once, not for each request.
 */
export function setSecurityHeaders(): (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void {
  const headers = securityHeaders();
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function securityHeaders(): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  // Other hosts below the same domain are not this service's: it does not claim TLS for them.
  const strictTransportSecurity = { includeSubDomains: false };
  // The service serves plain HTTP; with `upgrade-insecure-requests` a browser would not load the documentation's
  // assets.
  helmet({
    strictTransportSecurity,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  })({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}
