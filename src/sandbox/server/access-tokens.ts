import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Answer, json } from './answer.js';

const MAX_TOKENS = 1_000;

/** How long tokens are valid, in seconds and in requests; `now` returns milliseconds. */
export interface TokenRules {
  ttlSeconds: number;
  requestsPerToken: number | null;
  now: () => number;
}

/** Application-only tokens, which expire by time and optionally by number of requests. */
export class Tokens {
  private readonly issued = new LRUCache<string, { clientId: string; endsAt: number; uses: number }>({
    max: MAX_TOKENS,
  });

  constructor(private readonly rules: TokenRules) {}

  /** Responds to `POST /api/v1/access_token`. A client whose id or secret is `refused` gets 401. */
  grant(authorization: string | undefined, form: URLSearchParams): Answer {
    const client = basic(authorization);
    if (!client || client.id === 'refused' || client.secret === 'refused')
      return json(
        401,
        { message: 'Unauthorized', error: 401 },
        { 'www-authenticate': 'Basic realm="sandbox"' },
      );
    if (form.get('grant_type') !== 'client_credentials')
      return json(200, { error: 'unsupported_grant_type' });
    const token = randomBytes(24).toString('base64url');
    this.issued.set(token, {
      clientId: client.id,
      endsAt: this.rules.now() + this.rules.ttlSeconds * 1000,
      uses: 0,
    });
    return json(200, {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.rules.ttlSeconds,
      scope: '*',
    });
  }

  /** Counts one use and returns the token's client id; null when the token is missing, unknown or expired. */
  use(authorization: string | undefined): string | null {
    const token = /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const known = this.issued.get(token);
    if (!known) return null;
    const isSpent = this.rules.requestsPerToken !== null && known.uses >= this.rules.requestsPerToken;
    if (isSpent || known.endsAt <= this.rules.now()) {
      this.issued.delete(token);
      return null;
    }
    known.uses++;
    return known.clientId;
  }
}

function basic(authorization: string | undefined): { id: string; secret: string } | null {
  const encoded = /^basic\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? null : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
