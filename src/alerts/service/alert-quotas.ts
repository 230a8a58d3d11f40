import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Listeners } from '../../tenants/ports/listeners.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { Alert } from '../alert/alert.entity.js';
import { QUERY_CHARACTERS } from '../alert/alerts.repository.js';

/** The part of an alert that quotas count. */
type Counted = Pick<Alert, 'id' | 'keywords' | 'query' | 'forums' | 'listen'>;

/** Checks the quotas of alerts in the transaction that stores them. */
@Injectable()
export class AlertQuotas {
  constructor(
    private readonly quotas: QuotasService,
    private readonly listeners: Listeners,
  ) {}

  /** Throws 403 when the workspace may not have the alert; `former` is null for a new one. */
  async enforce(
    workspaceId: string,
    alert: Counted,
    former: Counted | null,
    tx: EntityManager,
  ): Promise<void> {
    if (former === null) await this.quotas.enforce(workspaceId, 'alerts', 1, tx);
    const added = keywordUse(alert) - (former === null ? 0 : keywordUse(former));
    if (added > 0) await this.quotas.enforce(workspaceId, 'alert_keywords', added, tx);
    await this.listeners.enforce(workspaceId, alert, tx);
  }
}

/** The alert's contribution to the quota `alert_keywords`. */
function keywordUse({ keywords, query, forums }: Counted): number {
  const ofQuery = Math.ceil([...(query ?? '')].length / QUERY_CHARACTERS);
  return (keywords.length + ofQuery) * Math.max(1, forums.length);
}
