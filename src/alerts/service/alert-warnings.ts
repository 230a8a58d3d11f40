import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { CHANNELS } from '../../messages/channels/channels.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { Alert } from '../alert/alert.entity.js';
import type { AlertWarningDto } from '../alert/alert-warning.dto.js';

const LISTENED = 'listened_posts_per_day';

/** The state of a workspace on which warnings about its alerts depend. */
export interface WarningFacts {
  /** Whether it has schedules or unfinished jobs. */
  isCollecting: boolean;
  /** The limit of the posts that its listeners store in a day when it is reached; otherwise null. */
  reachedLimit: number | null;
}

/** What keeps an alert from doing what it says, the worst first. */
export function warningsOf(
  alert: Pick<Alert, 'channel' | 'listen' | 'question'>,
  config: ChannelConfig,
  { isCollecting, reachedLimit }: WarningFacts,
  environment: Environment,
): AlertWarningDto[] {
  const warnings: (AlertWarningDto | null)[] = [
    alert.listen.length === 0 && !isCollecting
      ? {
          code: 'nothing_listened_to',
          message:
            'Nothing new is read: the alert listens to no source, and the workspace has no schedule and no unfinished job. Add `listen`, or create a schedule.',
        }
      : null,
    CHANNELS.get(alert.channel).obstacle?.(config, environment) ?? null,
    alert.listen.length > 0 && reachedLimit !== null
      ? {
          code: LISTENED,
          message: `Today's ${reachedLimit} matching posts and comments are stored. Until midnight UTC further ones are counted, not stored. Narrow the query, or ask the operator for a higher limit.`,
        }
      : null,
    alert.question !== null && environment.JUDGE_URL === undefined
      ? {
          code: 'no_second_reader',
          message:
            'Its question is not asked: the operator has not set JUDGE_URL. The learned relevance decides alone.',
        }
      : null,
  ];
  return warnings.filter((warning) => warning !== null);
}

/** Reads the facts on which warnings depend. */
@Injectable()
export class AlertWarnings {
  constructor(
    private readonly quotas: QuotasService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** The warnings of alerts of one workspace, by {@link warningsOf}. */
  async reader(workspaceId: string): Promise<(alert: Alert, config: ChannelConfig) => AlertWarningDto[]> {
    const used = (quota: string): Promise<number> => this.quotas.used(quota, workspaceId);
    const [limit, listened, ...collecting] = await Promise.all([
      this.quotas.limit(workspaceId, LISTENED),
      used(LISTENED),
      used('schedules'),
      used('pending_jobs'),
    ]);
    const facts = {
      isCollecting: collecting.some((count) => count > 0),
      reachedLimit: limit > 0 && listened >= limit ? limit : null,
    };
    return (alert, config) => warningsOf(alert, config, facts, this.environment);
  }
}
