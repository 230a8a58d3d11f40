import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import { type ApiKey, hasExpired } from './api-key.entity.js';
import { ApiKeysRepository, type KeyName } from './api-keys.repository.js';
import { generateKey, hashKey, isWellFormedKey, KEY_PREFIX_LENGTH, type PresentedKey } from './key-format.js';
import type { Scope } from '../../http/request/scope.js';

/** Resolution of `last_used_at`: a busy key causes at most one write per interval. */
const LAST_USED_RESOLUTION_MS = 60_000;

/** Revoked and expired keys that a workspace keeps as history. Limited, because the list of keys is not paginated. */
const ENDED_KEYS_KEPT = 1_000;

const MAX_KNOWN_IDS = 10_000;

/** The properties of a key to create. */
export interface NewApiKey {
  name: string;
  scopes: Scope[];
  /** In the future; null or absent for a key that does not expire. */
  expiresAt?: Date | null;
  /** When the key that makes this one expires, which this one does not outlive; null or absent for no limit. */
  endsBy?: Date | null;
}

/** Throws 401 `revoked_api_key` or `expired_api_key` unless the key is valid at `now`. */
export function requireUsable(key: ApiKey, now: Date): void {
  if (!key.isActive) throw new Problem('revoked_api_key', 'This API key has been revoked.');
  if (hasExpired(key, now)) throw new Problem('expired_api_key', 'This API key has expired.');
}

/** Creates, lists, rolls, revokes and authenticates API keys. */
@Injectable()
export class ApiKeysService {
  /** Ids by the hashes of keys that this process has read. */
  private readonly knownIds = new LRUCache<string, string>({ max: MAX_KNOWN_IDS });

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly quotas: QuotasService,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /** All keys, oldest first; expired ones are shown as inactive. */
  async list(workspaceId: string): Promise<ApiKey[]> {
    return (await this.keys.list(workspaceId)).map((key) => this.asShown(key));
  }

  /** One key, also if revoked or expired. Throws 404 when the workspace has no such key. */
  async get(workspaceId: string, id: string): Promise<ApiKey> {
    const key = await this.keys.find(workspaceId, id);
    if (key === null) throw Problem.notFound('API key');
    return this.asShown(key);
  }

  /** Whether the workspace has this key, neither revoked nor expired. */
  async isActive(workspaceId: string, id: string): Promise<boolean> {
    const key = await this.keys.find(workspaceId, id);
    return key !== null && this.asShown(key).isActive;
  }

  /** Creates a key; returns its record and its text, which is not stored. Throws 400, 403 `quota_exceeded`. */
  async create(
    workspaceId: string,
    request: NewApiKey,
    tx?: EntityManager,
  ): Promise<{ record: ApiKey; key: string }> {
    if (tx === undefined) return this.transactions.run((own) => this.create(workspaceId, request, own));
    await this.quotas.enforce(workspaceId, 'api_keys', 1, tx);
    return this.recover(workspaceId, request, tx);
  }

  /** Like {@link create}, but ignores the quota, so that an operator can always recover access. */
  async recover(
    workspaceId: string,
    { name, scopes, expiresAt: wanted = null, endsBy = null }: NewApiKey,
    tx: EntityManager,
  ): Promise<{ record: ApiKey; key: string }> {
    const now = this.clock.now();
    const expiresAt = wanted ?? endsBy;
    if (hasExpired({ expiresAt }, now))
      throw Problem.validation([{ field: 'expires_at', message: 'expires_at must be in the future' }]);
    if (endsBy !== null && expiresAt !== null && expiresAt > endsBy)
      throw Problem.validation([
        {
          field: 'expires_at',
          message: `expires_at must not be after ${endsBy.toISOString()}, when the key of this request expires`,
        },
      ]);
    const key = generateKey();
    const record: ApiKey = {
      workspaceId,
      id: newId(),
      name,
      keyPrefix: key.slice(0, KEY_PREFIX_LENGTH),
      keyHash: hashKey(key),
      email: null,
      subject: null,
      scopes,
      isActive: true,
      expiresAt,
      lastUsedAt: null,
      createdAt: now,
    };
    await this.keys.insert(record, tx);
    await this.keys.deleteEnded(workspaceId, ENDED_KEYS_KEPT, tx);
    return { record, key };
  }

  /** See {@link ApiKeysRepository.lastUses}. */
  lastUses(workspaceIds: readonly string[]): Promise<Map<string, Date>> {
    return this.keys.lastUses(workspaceIds);
  }

  /** See {@link ApiKeysRepository.names}. */
  names(keys: readonly Pick<ApiKey, 'workspaceId' | 'keyPrefix'>[]): Promise<KeyName[]> {
    return this.keys.names(keys);
  }

  /**
   * Replaces a key: creates one with the same name and scopes, while the old one stays valid for the given number of
   * seconds. Throws 404 when the workspace has no such key or it is revoked or expired, 403 `quota_exceeded`.
   */
  async roll(
    workspaceId: string,
    id: string,
    {
      overlapSeconds,
      expiresAt,
      endsBy,
    }: { overlapSeconds: number; expiresAt: Date | null; endsBy: Date | null },
  ): Promise<{ record: ApiKey; key: string }> {
    return this.transactions.run(async (tx) => {
      const former = await this.keys.expireAfter(workspaceId, id, overlapSeconds, tx);
      if (former === null) throw Problem.notFound('active API key');
      return this.create(workspaceId, { ...former, expiresAt, endsBy }, tx);
    });
  }

  /** Revokes a key permanently. Throws 404 when the workspace has no such key. */
  async revoke(workspaceId: string, id: string): Promise<void> {
    noteRecord(await this.get(workspaceId, id), null);
    if (!(await this.keys.revoke(workspaceId, id))) throw Problem.notFound('API key');
  }

  /** The active key that was sent. Throws 401; the checksum catches a typo without a query. */
  async authenticate({ text, hash }: PresentedKey): Promise<ApiKey> {
    const key = isWellFormedKey(text) ? await this.keys.findByHash(hash) : null;
    if (key === null) throw new Problem('invalid_api_key', 'Unknown API key.');
    requireUsable(key, this.clock.now());
    this.knownIds.set(hash.toString('base64'), key.id);
    return key;
  }

  /** The id of the key that was sent if {@link authenticate} has returned it before; it may be invalid by now. */
  knownId({ hash }: PresentedKey): string | undefined {
    return this.knownIds.get(hash.toString('base64'));
  }

  private asShown(key: ApiKey): ApiKey {
    return { ...key, isActive: key.isActive && !hasExpired(key, this.clock.now()) };
  }

  /** Records the time of use, with a resolution of one minute. */
  async recordUse(key: ApiKey): Promise<void> {
    const now = this.clock.now();
    const fresh = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
    if (key.lastUsedAt === null || key.lastUsedAt < fresh)
      await this.keys.touch(key.workspaceId, key.id, now, fresh);
  }
}
