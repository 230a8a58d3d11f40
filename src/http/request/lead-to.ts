import type { Response } from 'express';

/** Leads a browser to an address. Without a body, as in the contract; `redirect` of Express writes a sentence. */
export function leadTo(response: Response, address: string, status: 302 | 303 = 302): void {
  response.status(status).location(address).end();
}
