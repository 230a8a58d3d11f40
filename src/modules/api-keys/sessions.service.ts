import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { SESSION_MS } from '../../http/session-cookie.js';
import type { Caller } from '../../http/request.js';
import { Problem } from '../../http/problem.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysService, requireUsable } from './api-keys.service.js';
import { presentedKey } from './key-format.js';
import { SessionsRepository } from './sessions.repository.js';

const TOKEN_BYTES = 32;
/** Validity of a sign-in link, in milliseconds. */
const LINK_MS = 15 * 60_000;
const PRUNED_AT_ONCE = 500;

/**
 * Browser sessions. A session is a row, so that signing out or revoking its key ends it immediately in every process.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  /** The key with this text, for signing in. Throws 401. */
  identify(apiKey: string): Promise<ApiKey> {
    return this.apiKeys.authenticate(presentedKey(apiKey));
  }

  /** Starts a session for a key; returns the cookie value, of which only the hash is stored. */
  async begin({ workspaceId, id }: ApiKey): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + SESSION_MS);
    await this.sessions.insert({ workspaceId, tokenHash: hashOf(token), apiKeyId: id, expiresAt });
    return token;
  }

  /**
   * Creates a single-use token that signs in with the permissions of the caller's key within 15 minutes; only its hash
   * is stored.
   */
  async createLink({ workspaceId, keyId }: Caller): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + LINK_MS);
    await this.sessions.insert({ workspaceId, tokenHash: linkHashOf(token), apiKeyId: keyId, expiresAt });
    return { token, expiresAt };
  }

  /** The active key of a sign-in link, which works only once. Throws 401. */
  async redeemLink(token: string): Promise<ApiKey> {
    const now = this.clock.now();
    const key = await this.sessions.findKey(linkHashOf(token), now);
    if (key === null || !(await this.sessions.delete(key.workspaceId, linkHashOf(token))))
      throw new Problem('invalid_session', 'This link was used already or has expired.');
    requireUsable(key, now);
    return key;
  }

  /** The active key of a session. Throws 401 when the session has ended. */
  async authenticate(token: string): Promise<ApiKey> {
    const key = await this.sessions.findKey(hashOf(token), this.clock.now());
    if (key === null) throw new Problem('invalid_session', 'The session has ended. Sign in again.');
    requireUsable(key, this.clock.now());
    return key;
  }

  /** Deletes a batch of expired sessions; returns whether there may be more. */
  async pruneBatch(): Promise<boolean> {
    return (await this.sessions.deleteExpired(this.clock.now(), PRUNED_AT_ONCE)) === PRUNED_AT_ONCE;
  }

  async end(workspaceId: string, token: string): Promise<void> {
    await this.sessions.delete(workspaceId, hashOf(token));
  }
}

/** Differs from the hash of a session, so that a link's token does not work as a cookie. */
const linkHashOf = (token: string): Buffer => hashOf(`sign-in link ${token}`);

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
