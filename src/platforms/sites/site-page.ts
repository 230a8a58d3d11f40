import type { WireResponse } from '../http/requestor.js';
import type { Attempt } from '../http/with-retry.js';
import { redirectGoal } from '../http/redirect-goal.js';

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
