import type { components } from './schema.js';

/** The problem document of a refusal (RFC 9457). */
export type Problem = components['schemas']['ProblemDto'];

/** Maximum number of characters that an error quotes from a response that is not a problem document. */
const QUOTED_CHARACTERS = 200;

/** A longer `Retry-After` is shortened to this, which no caller waits for: a timer holds at most 24 days. */
const MAX_WAIT_SECONDS = 2_000_000;

/** A response other than a success, as an exception. */
export class ApiError extends Error {
  constructor(
    /** HTTP status of the response. */
    readonly status: number,
    /** The service's stable code, e.g. `not_found`; `http_STATUS` if the response is not a problem document. */
    readonly code: string,
    message: string,
    /** Null when something between client and service responded, e.g. a proxy with an HTML page. */
    readonly problem: Problem | null,
    /** From `Retry-After`; null when no time was given. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** Creates the error for a response, whatever its body is. */
  static async from(response: Response, body: unknown): Promise<ApiError> {
    const wait = retryAfterSeconds(response.headers);
    if (isProblem(body)) return new ApiError(response.status, body.code, sentenceOf(body), body, wait);
    const text = typeof body === 'string' ? body : await response.text().catch(() => '');
    const quoted = text.replace(/\s+/g, ' ').trim().slice(0, QUOTED_CHARACTERS);
    const summary = `HTTP ${response.status} ${response.statusText}`.trim();
    return new ApiError(
      response.status,
      `http_${response.status}`,
      quoted === '' ? summary : `${summary}: ${quoted}`,
      null,
      wait,
    );
  }
}

/** Seconds to wait according to a response, from a number or a date; null when it gives none. */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(MAX_WAIT_SECONDS, Math.ceil(Number(value)));
  // Date.parse would otherwise read "-5" as a year.
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(MAX_WAIT_SECONDS, Math.max(0, Math.ceil((date - now) / 1_000)));
}

/** Code and detail, and what is wrong with each field. */
const sentenceOf = ({ code, detail, errors }: Problem): string =>
  [`${code}: ${detail}`, ...(errors ?? []).map(({ message }) => message)].join('; ');

function isProblem(body: unknown): body is Problem {
  const { code, detail } = (body ?? {}) as { code?: unknown; detail?: unknown };
  return typeof code === 'string' && typeof detail === 'string';
}
