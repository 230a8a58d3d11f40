import type {
  OutboundHttpClient,
  OutboundResponse,
} from '../../infrastructure/outbound-http/outbound-http-client.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import { parseRetryAfter } from '../../infrastructure/outbound-http/retry-after.js';
import { PlatformError } from '../platform.js';
import { statedWait } from './stated-wait.js';
import {
  REQUESTOR_LIMITS,
  type RequestSender,
  TransportError,
  type WireRequest,
  type WireResponse,
} from './requestor.js';

/** Larger values of a reset are Unix seconds, smaller ones are seconds from now. */
const EARLIEST_UNIX_SECOND = 1_000_000_000;

/** Sends requests to sites that users name, through the client that refuses private addresses. */
export class GuardedRequestor implements RequestSender {
  readonly limits = REQUESTOR_LIMITS;

  constructor(
    private readonly client: Pick<OutboundHttpClient, 'request'>,
    private readonly userAgent: string,
  ) {}

  /**
   * Throws {@link TransportError}, a `target_forbidden` {@link PlatformError} for a refused address, or the signal's
   * reason when it aborts.
   */
  async send({ method, url, body }: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    signal.throwIfAborted();
    try {
      const response = await this.client.request({
        method,
        url,
        ...(body && { body: body.toString() }),
        timeoutMs: this.limits.totalMs,
        maxBytes: this.limits.maxBytes,
        headers: { 'user-agent': this.userAgent, accept: 'application/json' },
        signal,
      });
      if (response.truncated) throw new TransportError('too_large', 'the response is larger than the limit');
      return this.toResponse(response);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      if (error.code === 'address_refused' || error.code === 'invalid_url')
        throw new PlatformError('target_forbidden', `The site is not asked: ${error.message}`);
      throw new TransportError('network', error.message);
    }
  }

  /** A refusal that only says when to come back counts as a used-up window, so that the whole site rests until then. */
  private toResponse({ status, headers, body }: OutboundResponse): WireResponse {
    const header = (name: string): string | null => {
      const value = headers[name];
      return typeof value === 'string' ? value : null;
    };
    const limit = (name: string): string | null =>
      header(`x-ratelimit-${name}`) ?? header(`ratelimit-${name}`);
    const text = body.toString('utf8');
    const asked = parseRetryAfter(header('retry-after') ?? undefined, new Date());
    const wait = asked ?? (status === 429 ? statedWait(text) : null);
    const isRest = (status === 429 || status === 503) && wait !== null;
    return {
      status,
      text,
      headers: {
        location: header('location'),
        retryAfter: wait === null ? null : String(wait / 1_000),
        remaining: isRest ? '0' : limit('remaining'),
        used: limit('used'),
        reset: isRest ? String(wait / 1_000) : this.secondsUntil(limit('reset')),
        authenticate: header('www-authenticate'),
        link: header('link'),
      },
    };
  }

  /** The end of a window in seconds from now, given so, as Unix seconds or as a time. */
  private secondsUntil(reset: string | null): string | null {
    if (reset === null) return null;
    const seconds = Number(reset);
    const end = Number.isNaN(seconds) ? Date.parse(reset) : seconds * 1_000;
    const isMoment = Number.isNaN(seconds) || seconds > EARLIEST_UNIX_SECOND;
    return isMoment && !Number.isNaN(end) ? String(Math.max(0, end - Date.now()) / 1_000) : reset;
  }
}
