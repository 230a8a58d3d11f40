import { Injectable } from '@nestjs/common';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { AlertMatchesRepository } from '../matching/alert-matches.repository.js';
import { StoriesRepository } from '../stories/stories.repository.js';

/** How long matches are kept unless their state is `kept`. A stored post is never matched again, so a deleted match does not come back. */
const MATCHES_KEPT_DAYS = 90;
const BATCH = 1_000;

/** Deletes old matches of alerts, and expired keys of stories. */
@Injectable()
export class AlertPruner {
  constructor(pruner: Pruner, matches: AlertMatchesRepository, stories: StoriesRepository) {
    pruner.add(
      'alert matches',
      async () => (await matches.deleteOlderThan(MATCHES_KEPT_DAYS, BATCH)) === BATCH,
    );
    pruner.add('keys of stories', async () => (await stories.deleteExpired(BATCH)) === BATCH);
  }
}
