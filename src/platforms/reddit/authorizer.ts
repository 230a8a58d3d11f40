import { PlatformError } from '../platform.js';
import { type Attempt, persist, type Surroundings } from './persistence.js';
import { type Requestor, TransportFault } from './requestor.js';
import { judge } from './verdict.js';
import { asNumber, asObject, asText } from './wire.js';

export interface Credentials {
  /** Where `/api/v1/access_token` lies; may end in a path. */
  authUrl: string;
  clientId: string;
  clientSecret: string;
}

interface Token {
  value: string;
  /** Epoch milliseconds from which on a new one is fetched. */
  renewAt: number;
}

/** A token is renewed this long before its end, or after nine tenths of a short life. */
const RENEWAL_MARGIN_MS = 60_000;
const SHORTEST_LIFE_S = 1;
const ASSUMED_LIFE_S = 3_600;
const WHAT = 'the access token';

/** Keeps one application-only access token, fetched once for however many callers wait for it. */
export class Authorizer {
  private token: Token | null = null;
  private fetching: Promise<Token> | null = null;
  private readonly closing = new AbortController();

  constructor(
    private readonly credentials: Credentials,
    private readonly requestor: Requestor,
    private readonly surroundings: Surroundings,
  ) {}

  /** A token that was good a moment ago. Throws {@link PlatformError}, or the signal's reason when it aborts. */
  async bearer(signal: AbortSignal): Promise<string> {
    if (this.token && this.surroundings.now() < this.token.renewAt) return this.token.value;
    this.fetching ??= this.fetch().finally(() => (this.fetching = null));
    return (await unlessAborted(this.fetching, signal)).value;
  }

  /** Tells that the platform refused this token. Another caller may have renewed it already: that one stays. */
  refused(bearer: string): void {
    if (this.token?.value === bearer) this.token = null;
  }

  close(): void {
    this.closing.abort(new Error('The platform client was closed'));
  }

  private async fetch(): Promise<Token> {
    this.token = await persist(WHAT, () => this.attempt(), this.closing.signal, this.surroundings);
    return this.token;
  }

  private async attempt(): Promise<Attempt<Token>> {
    const { authUrl, clientId, clientSecret } = this.credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const asked = this.surroundings.now();
    try {
      const answer = await this.requestor.send(
        {
          method: 'POST',
          url: `${authUrl.replace(/\/+$/, '')}/api/v1/access_token`,
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
          authorization: `Basic ${basic}`,
        },
        this.closing.signal,
      );
      const verdict = judge(answer, this.surroundings.now());
      switch (verdict.kind) {
        case 'content':
          return readToken(verdict.json, asked);
        case 'fault':
          if (verdict.fault === 'unauthorized') throw refusedCredentials(verdict.detail);
          return { done: false, ...verdict };
        case 'redirect':
          throw new PlatformError(
            'bad_answer',
            'PLATFORM_AUTH_URL answers with a redirect instead of a token',
          );
        case 'refusal':
          if (verdict.status === 404)
            throw new PlatformError('bad_answer', 'PLATFORM_AUTH_URL has no token endpoint (status 404)');
          throw refusedCredentials(errorName(verdict.body?.error) ?? `status ${verdict.status}`);
      }
    } catch (error) {
      if (!(error instanceof TransportFault)) throw error;
      return { done: false, fault: 'network', detail: error.message, askedMs: null };
    }
  }
}

/** Refusals of credentials were seen with status 200. */
function readToken(json: unknown, asked: number): Attempt<Token> {
  const body = asObject(json);
  const value = asText(body?.access_token);
  if (value === null) {
    if (body?.error !== undefined || body?.error_description !== undefined)
      throw refusedCredentials(errorName(body.error) ?? 'no reason given');
    return { done: false, fault: 'unreadable', detail: 'no access_token in it', askedMs: null };
  }
  const life = Math.max(SHORTEST_LIFE_S, asNumber(body?.expires_in) ?? ASSUMED_LIFE_S) * 1_000;
  return {
    done: true,
    value: { value, renewAt: asked + Math.max(life - RENEWAL_MARGIN_MS, life * 0.9) },
  };
}

/** `invalid_grant` and the like; free text stays out of logs and job records. */
function errorName(error: unknown): string | null {
  return typeof error === 'string' && /^[\w-]{1,60}$/.test(error) ? error : null;
}

function refusedCredentials(detail: string): PlatformError {
  return new PlatformError(
    'credentials_refused',
    `The platform refused the OAuth application (${detail}). Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET`,
  );
}

/** The shared work goes on for the others when one caller gives up. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
