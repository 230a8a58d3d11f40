import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { RelevanceModel } from './relevance-model.js';
import { RelevanceRepository } from './relevance.repository.js';

/** Maximum number of models in memory, of all workspaces; 64 KB each. */
const MAX_KEPT = 200;

/** The current models of alerts, of which the ones last used are in memory. */
@Injectable()
export class RelevanceModels {
  private readonly kept = new LRUCache<string, RelevanceModel>({ max: MAX_KEPT });

  constructor(private readonly repository: RelevanceRepository) {}

  /** The models of these alerts by id, without those that have none. */
  async find(
    workspaceId: string,
    alertIds: readonly string[],
    tx?: EntityManager,
  ): Promise<Map<string, RelevanceModel>> {
    if (alertIds.length === 0) return new Map();
    const versions = await this.repository.versions(workspaceId, alertIds, tx);
    const keyOf = (alertId: string, version: string): string => `${workspaceId} ${alertId} ${version}`;
    const found = new Map<string, RelevanceModel>();
    for (const { alertId, version } of versions) {
      const model = this.kept.get(keyOf(alertId, version));
      if (model !== undefined) found.set(alertId, model);
    }
    const missing = versions.map(({ alertId }) => alertId).filter((alertId) => !found.has(alertId));
    if (missing.length === 0) return found;
    for (const { alertId, version, model } of await this.repository.models(workspaceId, missing, tx)) {
      const parsed = RelevanceModel.parse(model);
      this.kept.set(keyOf(alertId, version), parsed);
      found.set(alertId, parsed);
    }
    return found;
  }
}
