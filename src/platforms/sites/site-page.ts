import type { WireResponse } from '../http/requestor.js';
import type { Attempt } from '../http/with-retry.js';
import { redirectGoal } from '../http/redirect-goal.js';
import { PlatformError } from '../platform.js';

/** A GET request for a document of a site that is no JSON. */
export interface PageRequest<T> {
  /** The subject of the request, for logs and errors. */
  what: string;
  /** Where visitors find it; its host is the site. */
  address: URL;
  headers: Record<string, string>;
  maxBytes: number;
  /** Parses an answer of any status that is no fault of the site. */
  read: (answer: PageAnswer) => Attempt<T> | Promise<Attempt<T>>;
}

/** A document as received. */
export interface PageAnswer {
  status: number;
  body: Buffer;
  /** A header by its name in lower case; null without it. */
  header: (name: string) => string | null;
  /** Where a redirect leads; null for any other answer, and for one that leads nowhere. */
  goal: URL | null;
}

/** The answer to a request for an address; a redirect to the base of the site's requests leads to the site. */
export function pageAnswer(
  { status, headers, page }: WireResponse,
  address: URL,
  baseUrl: string,
): PageAnswer {
  const base = new URL(baseUrl);
  const path = base.pathname.replace(/\/$/, '');
  const asked = `${base.origin}${path}${address.pathname}${address.search}`;
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  const goal = isRedirect ? redirectGoal(headers.location, asked) : null;
  if (goal !== null && goal.host === base.host && goal.pathname.startsWith(`${path}/`)) {
    const { pathname, search } = goal;
    return { status, ...page!, goal: new URL(`${pathname.slice(path.length)}${search}`, address) };
  }
  return { status, ...page!, goal };
}

/** The headers of a further request for a document, so that an unchanged one is not sent. */
export function validatorsOf(header: PageAnswer['header']): Record<string, string> {
  const [etag, modified] = [header('etag'), header('last-modified')];
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(modified !== null && { 'if-modified-since': modified }),
  };
}

/** The failure of a document of a kind (`feed`) that its site refuses with a status. */
export function refusedDocument(kind: string, address: string, status: number): PlatformError {
  if (status === 404 || status === 410)
    return new PlatformError('target_not_found', `There is no ${kind} at ${address}`);
  if (status === 401)
    return new PlatformError('target_private', `The ${kind} ${address} is only for members`);
  if (status === 403)
    return new PlatformError('target_forbidden', `The site does not show the ${kind} ${address} to visitors`);
  return new PlatformError(
    'bad_answer',
    `The request for the ${kind} ${address} was refused with status ${status}`,
  );
}
