import type { WireResponse } from '../http/requestor.js';
import { classifyPlatformResponse } from '../http/response-class.js';
import { type Attempt, type FailedAttempt, faulty } from '../http/with-retry.js';
import { redirectGoal } from '../http/redirect-goal.js';
import { parseRobots, type Robots } from './robots.js';

/** The name by which robots.txt addresses this service. */
const PRODUCT = 'workspace-scraping-service';
/** As many as RFC 9309 (2.3.1.2) asks for. */
const MAX_REDIRECTS = 5;

/** How a robots.txt is requested. */
export interface RobotsRequests {
  /** The response of an address of the site, or of another site. */
  send: (url: string, isOwn: boolean) => Promise<WireResponse | FailedAttempt>;
  /** The address at which a page of the site is requested; null for a page of another site. */
  ownAddress: (goal: URL) => string | null;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * What the robots.txt at an address of a site allows. A site without one, or with one behind more than five redirects,
 * allows everything. An attempt that ends with an error of the site, or with a limit, has failed: until the site answers,
 * nothing is allowed (RFC 9309, 2.3.1.4).
 */
export async function readRobots(
  address: string,
  { send, ownAddress, now }: RobotsRequests,
): Promise<Attempt<Robots>> {
  let [url, isOwn] = [address, true];
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await send(url, isOwn);
    if ('done' in response) return response;
    const { status, headers, text } = response;
    const outcome = classifyPlatformResponse(response, now());
    const isTemporary =
      outcome.kind === 'fault' && (outcome.fault === 'server' || outcome.fault === 'rate_limited');
    if (isTemporary) return { done: false, ...outcome };
    if (status >= 500) return faulty('server', `status ${status}`);
    if (status >= 200 && status < 300) return { done: true, value: parseRobots(text, PRODUCT) };
    const goal = status < 400 ? redirectGoal(headers.location, url) : null;
    if (goal === null) break;
    const own = ownAddress(goal);
    [url, isOwn] = [own ?? goal.href, own !== null];
  }
  return { done: true, value: parseRobots('', PRODUCT) };
}
