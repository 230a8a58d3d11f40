import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { IDLE_MS, SESSION_MS } from '../../http/request/session-cookie.js';
import type { Caller } from '../../http/request/request.js';
import { allows } from '../../http/request/scope.js';
import { Problem } from '../../http/problems/problem.js';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import { ApiKeysService, requireUsable } from '../api-keys/api-keys.service.js';
import { presentedKey } from '../api-keys/key-format.js';
import type { Session } from '../api-keys/session.entity.js';
import {
  type FoundSession,
  type ListedSession,
  SessionsRepository,
} from '../api-keys/sessions.repository.js';

const TOKEN_BYTES = 32;
/** Validity of a sign-in link, in milliseconds. */
const LINK_MS = 15 * 60_000;
const PRUNED_AT_ONCE = 500;
/** Sessions, and links, that a key can have; older ones end when a new one begins. */
const MAX_PER_KEY = 20;
/** Resolution of `last_used_at`. */
const LAST_USED_RESOLUTION_MS = 60_000;
const MAX_USER_AGENT_LENGTH = 255;

/** Where a browser signs in from. */
export interface Browser {
  address: string;
  userAgent: string | undefined;
}

/** A key that was identified for signing in, and the end of the session that it may begin. */
export interface SignIn {
  key: ApiKey;
  /** At the latest; null when only the key limits it. */
  endsAt: Date | null;
}

/**
 * Browser sessions. A session is a row, so that signing out, ending it or revoking its key takes effect immediately in
 * every process. None outlives its key, nor the session that a link to it was made in.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  /** The key with this text, for signing in. Throws 401. */
  async identify(apiKey: string): Promise<SignIn> {
    return { key: await this.apiKeys.authenticate(presentedKey(apiKey)), endsAt: null };
  }

  /** Starts a session; returns the cookie value, of which only the hash is stored. */
  async begin({ key, endsAt }: SignIn, { address, userAgent }: Browser): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = earliest(this.after(SESSION_MS), key.expiresAt, endsAt);
    await this.insert(hashOf(token), key, {
      kind: 'session',
      expiresAt,
      address,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    });
    return token;
  }

  /**
   * Creates a single-use token that signs in with the permissions of the caller's key within 15 minutes; only its hash
   * is stored. A link made in a session ends with it, and so does the session that it begins.
   */
  async createLink(
    caller: Pick<Caller, 'workspaceId' | 'keyId' | 'expiresAt' | 'session'>,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const { workspaceId, keyId: id, session } = caller;
    const sessionEndsAt = session?.expiresAt ?? null;
    const expiresAt = earliest(this.after(LINK_MS), caller.expiresAt, sessionEndsAt);
    await this.insert(
      linkHashOf(token),
      { workspaceId, id },
      { kind: 'link', expiresAt, parentId: session?.id ?? null, sessionEndsAt },
    );
    return { token, expiresAt };
  }

  /** The active key of a sign-in link, which works only once. Throws 401. */
  async redeemLink(token: string): Promise<SignIn> {
    const found = await this.find('link', linkHashOf(token));
    if (found === null || !(await this.sessions.delete(found.key.workspaceId, linkHashOf(token))))
      throw new Problem('invalid_session', 'This link was used already or has expired.');
    requireUsable(found.key, this.clock.now());
    return { key: found.key, endsAt: found.session.sessionEndsAt };
  }

  /** The active key of a session, and the session. Throws 401 when the session has ended. */
  async authenticate(token: string): Promise<FoundSession> {
    const found = await this.find('session', hashOf(token));
    if (found === null) throw new Problem('invalid_session', 'The session has ended. Sign in again.');
    requireUsable(found.key, this.clock.now());
    return found;
  }

  /** Records that a session was used, with a resolution of one minute. */
  async recordUse({ workspaceId, id, lastUsedAt }: FoundSession['session']): Promise<void> {
    const now = this.clock.now();
    const fresh = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
    if (lastUsedAt < fresh) await this.sessions.touch(workspaceId, id, now, fresh);
  }

  /** Whether a key, or a session of it, is still valid. */
  async isStillValid(workspaceId: string, keyId: string, sessionId: string | null): Promise<boolean> {
    if (sessionId === null) return this.apiKeys.isActive(workspaceId, keyId);
    const active = await this.sessions.list(workspaceId, keyId, this.clock.now(), this.idleSince());
    return active.some(({ id }) => id === sessionId);
  }

  /** The sessions that the caller may end, newest first: with the scope `admin` all, otherwise those of its own key. */
  list(caller: Caller): Promise<ListedSession[]> {
    return this.sessions.list(caller.workspaceId, reach(caller), this.clock.now(), this.idleSince());
  }

  /** Ends one of these sessions. Throws 404 for any other. */
  async endOne(caller: Caller, id: string): Promise<void> {
    if ((await this.sessions.end(caller.workspaceId, id, reach(caller))) === 0)
      throw Problem.notFound('session');
  }

  /** Ends all of these sessions, also the caller's own, and their sign-in links; returns how many sessions. */
  endAll(caller: Caller): Promise<number> {
    return this.sessions.end(caller.workspaceId, null, reach(caller));
  }

  /** Ends the sessions and sign-in links of a key or member. */
  async endOfCredential(workspaceId: string, id: string): Promise<void> {
    await this.sessions.end(workspaceId, null, id);
  }

  /** Deletes a batch of expired sessions; returns whether there may be more. */
  async pruneBatch(): Promise<boolean> {
    return (await this.sessions.deleteExpired(this.clock.now(), PRUNED_AT_ONCE)) === PRUNED_AT_ONCE;
  }

  async end(workspaceId: string, token: string): Promise<void> {
    await this.sessions.delete(workspaceId, hashOf(token));
  }

  private find(kind: Session['kind'], tokenHash: Buffer): Promise<FoundSession | null> {
    return this.sessions.find(kind, tokenHash, this.clock.now(), this.idleSince());
  }

  private async insert(
    tokenHash: Buffer,
    { workspaceId, id: apiKeyId }: Pick<ApiKey, 'workspaceId' | 'id'>,
    session: Pick<Session, 'kind' | 'expiresAt'> & Partial<Session>,
  ): Promise<void> {
    const now = this.clock.now();
    const unset = { assistant: null, parentId: null, sessionEndsAt: null, address: null, userAgent: null };
    const row = { workspaceId, tokenHash, id: newId(), apiKeyId, createdAt: now, lastUsedAt: now };
    await this.sessions.insert({ ...unset, ...row, ...session }, MAX_PER_KEY);
  }

  private after(milliseconds: number): Date {
    return new Date(this.clock.now().getTime() + milliseconds);
  }

  private idleSince(): Date {
    return this.after(-IDLE_MS);
  }
}

/** The key whose sessions a caller sees; null for all keys. */
const reach = ({ scopes, keyId }: Caller): string | null => (allows(scopes, 'admin') ? null : keyId);

/** The first of these times; null stands for never. */
export const earliest = (first: Date, ...others: (Date | null)[]): Date =>
  new Date(Math.min(first.getTime(), ...others.map((time) => time?.getTime() ?? Infinity)));

/** Differs from the hash of a session, so that a link's token does not work as a cookie. */
const linkHashOf = (token: string): Buffer => hashOf(`sign-in link ${token}`);

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
