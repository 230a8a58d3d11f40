import { Injectable } from '@nestjs/common';
import type { AlertRelevanceDto } from '../relevance/alert-relevance.dto.js';
import { RelevanceRepository } from '../relevance/relevance.repository.js';
import { shownPrecision } from '../relevance/shown-precision.js';
import { AlertsService } from './alerts.service.js';

/** Says how relevant the matches of an alert are. */
@Injectable()
export class AlertRelevanceService {
  constructor(
    private readonly alerts: AlertsService,
    private readonly relevance: RelevanceRepository,
  ) {}

  /** Throws 404 when the workspace has no such alert. */
  async show(workspaceId: string, id: string): Promise<AlertRelevanceDto> {
    const { minRelevance } = await this.alerts.get(workspaceId, id);
    const [versions, counts] = await Promise.all([
      this.relevance.versions(workspaceId, [id]),
      this.relevance.counts(workspaceId, id, minRelevance),
    ]);
    const { kept, dismissed, hidden, mean, certainty } = counts;
    const ready = versions.length > 0;
    return {
      verdicts: { kept, dismissed },
      ready,
      min_relevance: minRelevance,
      precision:
        ready && mean !== null && certainty !== null
          ? shownPrecision({ mean, certainty, decisions: kept + dismissed })
          : null,
      hidden,
    };
  }
}
