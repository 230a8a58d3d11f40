import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { Problem } from '../../http/problem.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { generateKey, hashKey, isWellFormedKey, KEY_PREFIX_LENGTH } from './key-format.js';
import type { Scope } from './scope.js';

/** How fresh `last_used_at` is kept; a busy key costs one write in this time. */
const LAST_USED_RESOLUTION_MS = 60_000;

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  list(workspaceId: string): Promise<ApiKey[]> {
    return this.keys.list(workspaceId);
  }

  /** The new record, and the key's text, which is stored nowhere. */
  async create(
    workspaceId: string,
    { name, scopes }: { name: string; scopes: Scope[] },
    tx?: EntityManager,
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

  async revoke(workspaceId: string, id: string): Promise<void> {
    if (!(await this.keys.revoke(workspaceId, id))) throw Problem.notFound('API key');
  }

  /** The active key behind a text; a typo is refused without a query. Throws the 401 that fits. */
  async authenticate(text: string): Promise<ApiKey> {
    const key = isWellFormedKey(text) ? await this.keys.findByHash(hashKey(text)) : null;
    if (key === null) throw new Problem('invalid_api_key', 'This API key is not known');
    if (!key.isActive) throw new Problem('revoked_api_key', 'This API key has been revoked');
    return key;
  }

  async noteUse(key: ApiKey): Promise<void> {
    const now = this.clock.now();
    const fresh = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
    if (key.lastUsedAt === null || key.lastUsedAt < fresh)
      await this.keys.touch(key.workspaceId, key.id, now, fresh);
  }
}
