import type {
  OutboundHttpClient,
  OutboundResponse,
} from '../../infrastructure/outbound-http/outbound-http-client.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import { utf8Header } from '../../infrastructure/outbound-http/utf8-header.js';
import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import { PlatformError } from '../platform.js';
import { limitHeaders } from './limit-headers.js';
import { statedWait } from './stated-wait.js';
import {
  REQUESTOR_LIMITS,
  type RequestSender,
  TransportError,
  type WireRequest,
  type WireResponse,
} from './requestor.js';

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
  async send({ method, url, body, page }: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    signal.throwIfAborted();
    try {
      const response = await this.client.request({
        method,
        url,
        ...(body && { body: body.toString() }),
        timeoutMs: this.limits.totalMs,
        maxBytes: page?.maxBytes ?? this.limits.maxBytes,
        headers: { 'user-agent': this.userAgent, accept: 'application/json', ...page?.headers },
        signal,
      });
      if (response.truncated) throw new TransportError('too_large', 'the response is larger than the limit');
      return this.toResponse(response, page !== undefined);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      if (error.code === 'address_refused' || error.code === 'invalid_url')
        throw new PlatformError('target_forbidden', `The site is not asked: ${error.message}`);
      throw new TransportError('network', error.message);
    }
  }

  /** A refusal that only says when to come back counts as a used-up window, so that the whole site rests until then. */
  private toResponse({ status, headers, body }: OutboundResponse, isPage: boolean): WireResponse {
    const header = (name: string): string | null => {
      const value = headers[name];
      return typeof value === 'string' ? utf8Header(value) : null;
    };
    const text = new TextDecoder().decode(body);
    const now = Date.now();
    const wait = statedDelay(header('retry-after'), now) ?? (status === 429 ? statedWait(text, now) : null);
    const rest = wait === null ? null : String(wait / 1_000);
    const isRest = (status === 429 || status === 503) && rest !== null;
    return {
      status,
      text,
      headers: {
        location: header('location'),
        retryAfter: rest,
        ...limitHeaders(header),
        ...(isRest && { remaining: '0', reset: rest }),
        authenticate: header('www-authenticate'),
        link: header('link'),
      },
      ...(isPage && { page: { body, header } }),
    };
  }
}
