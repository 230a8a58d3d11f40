import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mapInSlices } from '../../common/slices.js';
import { keyOfComment } from '../../content/comments/comment-keys.js';
import type { Alert } from '../alert/alert.entity.js';
import { type ReadableRecord, textOf } from '../relevance/record-text.js';
import { RelevanceModels } from '../relevance/relevance-models.js';
import { isUncertain } from '../matching/second-reading.js';
import type { Fold } from '../stories/fold-stories.js';
import { StoryFolding } from '../stories/story-folding.service.js';
import {
  AlertMatchesRepository,
  type FreshMatch,
  type NewMatch,
  type ScoredMatch,
} from '../matching/alert-matches.repository.js';
import type { AlertableBatch } from '../matching/triggering.js';

/** The matches of a batch that were not recorded before. */
export interface RecordedMatches {
  scored: ScoredMatch[];
  fresh: FreshMatch[];
  /** Reposts among them. */
  folds: Fold[];
}

/** Records the matches of a batch with their relevance, and folds reposts into the first match of their story. */
@Injectable()
export class MatchRecorder {
  constructor(
    private readonly matches: AlertMatchesRepository,
    private readonly folding: StoryFolding,
    private readonly models: RelevanceModels,
  ) {}

  /** Records `found`, the matches of locked alerts, within the batch's transaction. */
  async record(
    workspaceId: string,
    jobId: string,
    found: readonly NewMatch[],
    { locked, batch }: { locked: ReadonlyMap<string, Alert>; batch: AlertableBatch },
    tx: EntityManager,
  ): Promise<RecordedMatches> {
    const matches = await this.scored(workspaceId, found, { locked, batch }, tx);
    const fresh = await this.matches.insert(workspaceId, jobId, matches, tx);
    const folds = await this.folding.fold(
      workspaceId,
      fresh.filter(({ alertId }) => locked.get(alertId)!.foldDuplicates),
      batch,
      tx,
    );
    const isFresh = new Set(fresh.map(keyOf));
    return { scored: matches.filter((match) => isFresh.has(keyOf(match))), fresh, folds };
  }

  /** Reads the models of alerts that the transaction has locked. */
  private async scored(
    workspaceId: string,
    matches: readonly NewMatch[],
    { locked, batch: { posts, comments } }: { locked: ReadonlyMap<string, Alert>; batch: AlertableBatch },
    tx: EntityManager,
  ): Promise<ScoredMatch[]> {
    const alertIds = [...new Set(matches.map(({ alertId }) => alertId))];
    const models = await this.models.find(workspaceId, alertIds, tx);
    if (models.size === 0) return matches.map((match) => ({ ...match, relevance: null, isWaiting: false }));
    const records = new Map<string, ReadableRecord>([
      ...posts.map((post) => [post.id, post] as const),
      ...comments.map((comment) => [keyOfComment(comment.commentId), comment] as const),
    ]);
    return mapInSlices(matches, (match) => {
      const relevance = models.get(match.alertId)?.relevance(textOf(records.get(match.postId)!)) ?? null;
      const isWaiting = isUncertain(relevance) && locked.get(match.alertId)!.question !== null;
      return { ...match, relevance, isWaiting };
    });
  }
}

const keyOf = ({ alertId, postId }: Pick<NewMatch, 'alertId' | 'postId'>): string => `${alertId} ${postId}`;
