import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import type { RequestorLimits, RequestSender, WireRequest, WireResponse } from '../http/requestor.js';
import { asNumber, parseObject } from '../http/response-parsing.js';
import { statedWait } from '../http/stated-wait.js';

const DAY_MS = 86_400_000;
/** Rest after a refusal that does not say how long. */
const UNSTATED_WAIT_MS = 60_000;

/**
 * Sends requests to the API, which states its limits in the body: the rest of the day's quota, the seconds for which it
 * asks to wait after a good answer (`backoff`), and those after which it answers again. They become headers, so that the
 * budget of all processes rests as long.
 */
export class StackExchangeRequestor implements RequestSender {
  readonly limits: RequestorLimits;

  constructor(
    private readonly requestor: RequestSender,
    private readonly now: () => number = Date.now,
  ) {
    this.limits = requestor.limits;
  }

  /** Throws as the requestor does. */
  async send(request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    const response = await this.requestor.send(request, signal);
    const now = this.now();
    const body = parseObject(response.text);
    const withHeaders = (headers: Partial<WireResponse['headers']>): WireResponse => ({
      ...response,
      headers: { ...response.headers, ...headers },
    });
    if (body?.error_name === 'throttle_violation' || body?.error_id === 502) {
      const rest = String((statedWait(response.text, now) ?? UNSTATED_WAIT_MS) / 1_000);
      return { ...withHeaders({ retryAfter: rest, remaining: '0', reset: rest }), status: 429 };
    }
    const backOff = statedDelay(asNumber(body?.backoff), now) ?? 0;
    if (backOff > 0) return withHeaders({ remaining: '0', reset: String(backOff / 1_000) });
    const remaining = asNumber(body?.quota_remaining);
    if (remaining === null) return response;
    const reset = (DAY_MS - (now % DAY_MS)) / 1_000;
    return withHeaders({ remaining: String(remaining), reset: String(reset) });
  }
}
