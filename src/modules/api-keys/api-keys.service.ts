import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { QuotasService } from '../usage/quotas.service.js';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { Problem } from '../../http/problem.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { generateKey, hashKey, isWellFormedKey, KEY_PREFIX_LENGTH } from './key-format.js';
import type { Scope } from '../../http/scope.js';

/** Resolution of `last_used_at`: a busy key causes one write in this time. */
const LAST_USED_RESOLUTION_MS = 60_000;

/** Creates, lists, revokes and authenticates API keys. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly quotas: QuotasService,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  list(workspaceId: string): Promise<ApiKey[]> {
    return this.keys.list(workspaceId);
  }

  /** One key, revoked or not. Throws 404 when the workspace has no such key. */
  async get(workspaceId: string, id: string): Promise<ApiKey> {
    const key = await this.keys.find(workspaceId, id);
    if (key === null) throw Problem.notFound('API key');
    return key;
  }

  /** Creates a key and returns its record with the key's text, which is not stored. Throws 403 `quota_exceeded`. */
  async create(
    workspaceId: string,
    request: { name: string; scopes: Scope[] },
    tx?: EntityManager,
  ): Promise<{ record: ApiKey; key: string }> {
    if (tx === undefined) return this.transactions.run((own) => this.create(workspaceId, request, own));
    await this.quotas.enforce(workspaceId, 'api_keys', 1, tx);
    return this.recover(workspaceId, request, tx);
  }

  /** As {@link create}, without a quota: an operator must be able to recover access. */
  async recover(
    workspaceId: string,
    { name, scopes }: { name: string; scopes: Scope[] },
    tx: EntityManager,
  ): Promise<{ record: ApiKey; key: string }> {
    const key = generateKey();
    const record: ApiKey = {
      workspaceId,
      id: newId(),
      name,
      keyPrefix: key.slice(0, KEY_PREFIX_LENGTH),
      keyHash: hashKey(key),
      scopes,
      isActive: true,
      lastUsedAt: null,
      createdAt: this.clock.now(),
    };
    await this.keys.insert(record, tx);
    return { record, key };
  }

  /** As {@link ApiKeysRepository.lastUses}. */
  lastUses(workspaceIds: readonly string[]): Promise<Map<string, Date>> {
    return this.keys.lastUses(workspaceIds);
  }

  /** Revokes a key for good. Throws 404 when the workspace has no such key. */
  async revoke(workspaceId: string, id: string): Promise<void> {
    if (!(await this.keys.revoke(workspaceId, id))) throw Problem.notFound('API key');
  }

  /** The active key with this text. Throws 401; a typo is detected by its checksum, without a query. */
  async authenticate(text: string): Promise<ApiKey> {
    const key = isWellFormedKey(text) ? await this.keys.findByHash(hashKey(text)) : null;
    if (key === null) throw new Problem('invalid_api_key', 'Unknown API key.');
    if (!key.isActive) throw new Problem('revoked_api_key', 'This API key has been revoked.');
    return key;
  }

  /** Records the time of use, to the minute. */
  async recordUse(key: ApiKey): Promise<void> {
    const now = this.clock.now();
    const fresh = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
    if (key.lastUsedAt === null || key.lastUsedAt < fresh)
      await this.keys.touch(key.workspaceId, key.id, now, fresh);
  }
}
