import { PlatformError, type RequestWait } from '../platform.js';
import {
  type Attempt,
  type RetryDependencies,
  type RetrySession,
  unanswered,
  unreadable,
  withRetry,
} from '../http/with-retry.js';
import { type Requestor } from '../http/requestor.js';
import { classifyPlatformResponse } from '../http/response-class.js';
import { asNumber, asObject, asText } from '../http/response-parsing.js';
import { withoutEnding } from '../../common/strings.js';

/** An OAuth application and its token endpoint. */
export interface Credentials {
  /** Base URL of `/api/v1/access_token`; may include a path. */
  authUrl: string;
  clientId: string;
  clientSecret: string;
}

interface Token {
  value: string;
  /** Epoch milliseconds after which a new token is fetched. */
  renewAt: number;
}

/**
 * Time before its expiry at which a token is renewed; a token with a short lifetime is renewed after nine tenths of it.
 */
const RENEWAL_MARGIN_MS = 60_000;
const SHORTEST_LIFE_S = 1;
const ASSUMED_LIFE_S = 3_600;
const WHAT = 'the access token';

/** Holds the application-only access token. Concurrent callers share one token request. */
export class Authorizer {
  private token: Token | null = null;
  private fetching: Promise<Token> | null = null;
  /** The retries of the token request in flight. */
  private retry: RequestWait | null = null;
  private readonly closing = new AbortController();

  constructor(
    private readonly credentials: Credentials,
    private readonly requestor: Requestor,
    private readonly dependencies: RetryDependencies,
  ) {}

  /** The current token, fetched when necessary. Throws {@link PlatformError}, or the signal's reason when it aborts. */
  async bearer({ signal, onWait }: RetrySession): Promise<string> {
    if (this.token && this.dependencies.now() < this.token.renewAt) return this.token.value;
    this.fetching ??= this.fetch().finally(() => (this.fetching = null));
    const endWait = onWait?.(this.waitForToken());
    try {
      return (await unlessAborted(this.fetching, signal)).value;
    } finally {
      endWait?.();
    }
  }

  /** The wait shown for every session that needs the token: all share one request and its retries. */
  private waitForToken(): RequestWait {
    const retry = (): RequestWait | null => this.retry;
    return {
      reason: 'retry',
      get until() {
        return retry()?.until ?? null;
      },
      get cause() {
        return retry()?.cause ?? 'An access token is being requested';
      },
    };
  }

  /** Discards a token that the platform refused, unless another caller has already renewed it. */
  discard(bearer: string): void {
    if (this.token?.value === bearer) this.token = null;
  }

  /** Aborts a token request in flight. */
  close(): void {
    this.closing.abort(new Error('The platform client was closed'));
  }

  private async fetch(): Promise<Token> {
    const onWait = (wait: RequestWait): (() => void) => {
      this.retry = wait;
      return () => (this.retry = null);
    };
    const session = { signal: this.closing.signal, onWait };
    this.token = await withRetry(WHAT, () => this.attempt(), session, this.dependencies);
    return this.token;
  }

  private async attempt(): Promise<Attempt<Token>> {
    const { authUrl, clientId, clientSecret } = this.credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const sentAt = this.dependencies.now();
    try {
      const response = await this.requestor.send(
        {
          method: 'POST',
          url: `${withoutEnding(authUrl, '/')}/api/v1/access_token`,
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
          authorization: `Basic ${basic}`,
        },
        this.closing.signal,
      );
      const outcome = classifyPlatformResponse(response, this.dependencies.now());
      switch (outcome.kind) {
        case 'content':
          return readToken(outcome.json, sentAt);
        case 'fault':
          if (outcome.fault === 'unauthorized') throw refusedCredentials(outcome.detail);
          return { done: false, ...outcome };
        case 'redirect':
          throw new PlatformError(
            'bad_answer',
            'PLATFORM_AUTH_URL answers with a redirect instead of a token',
          );
        case 'refusal':
          if (outcome.status === 404)
            throw new PlatformError('bad_answer', 'PLATFORM_AUTH_URL has no token endpoint (status 404)');
          throw refusedCredentials(errorName(outcome.body?.error) ?? `status ${outcome.status}`);
      }
    } catch (error) {
      return unanswered(error, WHAT);
    }
  }
}

/** Reads a token response. The platform also sends refusals of credentials with status 200. */
function readToken(json: unknown, sentAt: number): Attempt<Token> {
  const body = asObject(json);
  const value = asText(body?.access_token);
  if (value === null) {
    if (body?.error !== undefined || body?.error_description !== undefined)
      throw refusedCredentials(errorName(body.error) ?? 'no reason given');
    return unreadable('no access_token in it');
  }
  const life = Math.max(SHORTEST_LIFE_S, asNumber(body?.expires_in) ?? ASSUMED_LIFE_S) * 1_000;
  return {
    done: true,
    value: { value, renewAt: sentAt + Math.max(life - RENEWAL_MARGIN_MS, life * 0.9) },
  };
}

/** An OAuth error code such as `invalid_grant`; null for free text, which stays out of logs and job records. */
function errorName(error: unknown): string | null {
  return typeof error === 'string' && /^[\w-]{1,60}$/.test(error) ? error : null;
}

function refusedCredentials(detail: string): PlatformError {
  return new PlatformError(
    'credentials_refused',
    `Reddit refused the OAuth application (${detail}). Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET`,
  );
}

/** Rejects when the signal aborts; the shared work continues for other callers. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
