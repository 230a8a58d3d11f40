import type { RequestorLimits, RequestSender, WireRequest, WireResponse } from '../http/requestor.js';

/** Rest after a refusal for too many requests that does not say how long. */
const UNSTATED_WAIT_SECONDS = '60';
/** Paths with limits of their own, whose state says nothing of the others. */
const OWN_LIMIT = /\/(?:search\/[a-z]+|graphql)$/;

/**
 * Sends requests to the API, which refuses those beyond a limit with 403, too: when the window is used up
 * (`x-ratelimit-remaining: 0`), and for too many at once (`Retry-After`, or words). These become 429.
 */
export class GitHubRequestor implements RequestSender {
  readonly limits: RequestorLimits;

  constructor(private readonly requestor: RequestSender) {
    this.limits = requestor.limits;
  }

  /** Throws as the requestor does. */
  async send(request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    const response = await this.requestor.send(request, signal);
    const { status, headers, text } = response;
    const { remaining, reset, retryAfter } = headers;
    const isLimited =
      status === 429 ||
      (status === 403 && (remaining === '0' || retryAfter !== null || /\brate limit\b/i.test(text)));
    if (isLimited) {
      const rest = retryAfter ?? (remaining === '0' ? reset : null) ?? UNSTATED_WAIT_SECONDS;
      return {
        ...response,
        status: 429,
        headers: { ...headers, retryAfter: rest, remaining: '0', reset: rest },
      };
    }
    const hasOwnLimit = OWN_LIMIT.test(new URL(request.url).pathname);
    return hasOwnLimit
      ? { ...response, headers: { ...headers, remaining: null, used: null, reset: null } }
      : response;
  }
}
