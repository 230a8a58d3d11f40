import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import type {
  OutboundHttpClient,
  OutboundRequest,
  OutboundResponse,
} from '../../infrastructure/outbound-http/outbound-http-client.js';
import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import type { DeliveryOutcome } from './channel.js';

/** A JSON request to a URL that a user configured. */
export interface JsonPost {
  url: string;
  /** JSON text. */
  body: string;
  headers?: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Posts JSON. Never throws: every failure is returned as an outcome. */
export function postJson(
  client: OutboundHttpClient,
  { headers, ...post }: JsonPost,
): Promise<{ outcome: DeliveryOutcome; response: OutboundResponse | null }> {
  return attempt(client, {
    ...post,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/**
 * Sends one request. Redirects are not followed, and only a 2xx counts as success. Never throws: every failure is
 * returned as an outcome.
 */
export async function attempt(
  client: OutboundHttpClient,
  request: OutboundRequest,
): Promise<{ outcome: DeliveryOutcome; response: OutboundResponse | null }> {
  const startedAt = performance.now();
  try {
    const response = await client.request(request);
    return { outcome: outcomeOf(response), response };
  } catch (error) {
    const outcome: DeliveryOutcome = {
      ok: false,
      responseCode: null,
      durationMs: Math.round(performance.now() - startedAt),
      error: error instanceof OutboundError ? `${error.code}: ${error.message}` : 'The request failed',
    };
    return { outcome, response: null };
  }
}

function outcomeOf(response: OutboundResponse): DeliveryOutcome {
  const { status } = response;
  const base = { responseCode: status, durationMs: Math.round(response.durationMs) };
  if (status >= 200 && status < 300) return { ok: true, ...base };
  const retryAfterMs = statedDelay(response.headers['retry-after'], Date.now());
  return {
    ok: false,
    ...base,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    error:
      status >= 300 && status < 400
        ? `The receiver answered ${status}; redirects are not followed`
        : `The receiver answered ${status}`,
  };
}

/** The outcome when no request can be sent, for example because there is no URL. */
export function unsendable(error: string): DeliveryOutcome {
  return { ok: false, responseCode: null, durationMs: 0, permanent: true, error };
}
