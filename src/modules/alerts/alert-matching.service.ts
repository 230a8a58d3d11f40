import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { OutboxRepository } from '../events/outbox.repository.js';
import type { Alert } from './alert.entity.js';
import { AlertMatchesRepository, type NewMatch } from './alert-matches.repository.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertSummaryDto } from './dto/alert.dto.js';
import { AlertMatcher } from './matching/alert-matcher.js';
import { type AlertablePost, triggering } from './triggering.js';

/** Workspaces whose compiled matchers are kept, the least recently used leaving first. */
const MAX_MATCHERS = 64;

interface Compiled {
  version: string;
  matcher: AlertMatcher;
}

/** Matches what a scrape brings against a workspace's alerts. */
@Injectable()
export class AlertMatchingService {
  private readonly compiled = new Map<string, Compiled>();

  constructor(
    private readonly alerts: AlertsRepository,
    private readonly matches: AlertMatchesRepository,
    private readonly outbox: OutboxRepository,
    private readonly clock: Clock,
  ) {}

  /** Compiles the workspace's matcher when its alerts have changed; best called before a batch's transaction opens. */
  async prepare(workspaceId: string): Promise<void> {
    await this.matcherFor(workspaceId);
  }

  /**
   * Records which alerts the posts of a batch trigger, in the batch's own transaction; `posts` are those that are seen
   * for the first time. Each alert with new matches is counted and told once; the same batch again does nothing.
   */
  async matchBatch(
    workspaceId: string,
    jobId: string,
    posts: readonly AlertablePost[],
    tx: EntityManager,
  ): Promise<void> {
    if (posts.length === 0) return;
    const found = findMatches(await this.matcherFor(workspaceId, tx), posts);
    if (found.length === 0) return;
    const ids = [...new Set(found.map(({ alertId }) => alertId))];
    const locked = new Map(
      (await this.matches.lockActive(workspaceId, ids, tx)).map((alert) => [alert.id, alert]),
    );
    const fresh = await this.matches.insert(
      workspaceId,
      jobId,
      found.filter(({ alertId }) => locked.has(alertId)),
      tx,
    );
    if (fresh.length === 0) return;
    const now = this.clock.now();
    const triggered = [...new Set(fresh.map(({ alertId }) => alertId))];
    await this.matches.countTriggering(workspaceId, triggered, now, tx);
    const isFresh = new Set(fresh.map(({ alertId, postId }) => `${alertId} ${postId}`));
    for (const alertId of triggered)
      await this.outbox.append(
        workspaceId,
        triggering(
          jobId,
          AlertSummaryDto.from(counted(locked.get(alertId)!, now)),
          alertId,
          found.filter((match) => match.alertId === alertId && isFresh.has(`${alertId} ${match.postId}`)),
          posts,
        ),
        tx,
      );
  }

  private async matcherFor(workspaceId: string, tx?: EntityManager): Promise<AlertMatcher> {
    // The version is read first: alerts that change in between are then compiled again, never missed.
    const version = await this.alerts.version(workspaceId, tx);
    const known = this.compiled.get(workspaceId);
    this.compiled.delete(workspaceId);
    const matcher =
      known?.version === version
        ? known.matcher
        : await AlertMatcher.compile(await this.alerts.active(workspaceId, tx));
    this.compiled.set(workspaceId, { version, matcher });
    if (this.compiled.size > MAX_MATCHERS) this.compiled.delete(this.compiled.keys().next().value!);
    return matcher;
  }
}

function findMatches(matcher: AlertMatcher, posts: readonly AlertablePost[]): NewMatch[] {
  return posts.flatMap((post) =>
    matcher.match(post).map(({ alertId, keywords }) => ({ alertId, postId: post.id, keywords })),
  );
}

const counted = (alert: Alert, now: Date): Alert => ({
  ...alert,
  triggerCount: alert.triggerCount + 1,
  lastTriggeredAt: now,
});
