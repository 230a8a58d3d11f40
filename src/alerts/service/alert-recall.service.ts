import { Injectable } from '@nestjs/common';
import type { RecallDto } from '../../content/analytics/dto/recall.dto.js';
import { RecallService } from '../../content/analytics/recall.service.js';
import { Problem } from '../../http/problems/problem.js';
import { MAX_QUERY_LENGTH } from '../../search/query/parse-query.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { queryOf } from '../conditions/spike-condition.js';

/** Estimates how complete alerts are. */
@Injectable()
export class AlertRecallService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly recall: RecallService,
  ) {}

  /**
   * How many stored posts and comments of those that an alert watches it misses in its forums. Throws 404, and 400 for
   * keywords that are too long for one search.
   */
  async measure(workspaceId: string, id: string): Promise<RecallDto> {
    const alert = await this.alerts.find(workspaceId, id);
    if (alert === null) throw Problem.notFound('alert');
    const q = queryOf({ ...alert, forums: [] });
    if (q.length > MAX_QUERY_LENGTH)
      throw Problem.validation([
        {
          field: 'alert_id',
          message: `the keywords and query of the alert must have at most ${MAX_QUERY_LENGTH} characters together`,
        },
      ]);
    const forum = alert.forums.length === 0 ? undefined : alert.forums;
    const subjects = alert.of === 'all' ? (['posts', 'comments'] as const) : ([alert.of] as const);
    return this.recall.measureTogether(workspaceId, subjects, { q, ...(forum !== undefined && { forum }) });
  }
}
