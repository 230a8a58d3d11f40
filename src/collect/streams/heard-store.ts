import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { StreamBatch, StreamText } from '../../platforms/stream-batch.js';
import { groupBy } from '../../common/collections.js';
import { mapInSlices } from '../../common/slices.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { type Heard, HeardTextsRepository } from './heard-texts.repository.js';
import { ListenedQueries } from './listened-queries.js';
import { ListenersRepository } from './listeners.repository.js';

/** The texts of a batch that concern workspaces. */
interface Matched {
  heard: readonly Heard[];
  /** Whether they match or not: they may have matched before. */
  edited: readonly StreamText[];
}

/** Finds the texts of a stream that listeners match, and keeps them for the workers that read and store them. */
@Injectable()
export class HeardStore {
  constructor(
    private readonly queries: ListenedQueries,
    private readonly texts: HeardTextsRepository,
    private readonly listeners: ListenersRepository,
    private readonly quotas: QuotasService,
  ) {}

  /** Takes notice of listeners that began or ended; call it before a stream is claimed. */
  refresh(): Promise<void> {
    return this.queries.refresh();
  }

  /**
   * The texts of a batch that match, each once for each workspace, the edited ones, and the posts with their topics. Outside of any
   * transaction.
   */
  async match(
    source: string,
    { texts, posts }: StreamBatch,
  ): Promise<Matched & { posts: StreamBatch['posts'] }> {
    const queries = await this.queries.of(source);
    const matches = await mapInSlices(texts, (text) => ({ id: text.id, ...queries.match(text) }));
    return {
      heard: matches.flatMap((match) => match.heard),
      edited: texts.filter(({ isEdited }) => isEdited),
      posts: [...posts, ...matches.filter(({ topics }) => topics.length > 0)],
    };
  }

  /**
   * Keeps texts within the transaction that stores the position after them, lets edited ones be read again, and forgets those that
   * are gone. Beyond a workspace's quota they are counted, not kept. Repeating it has no further effect.
   */
  async store(
    source: string,
    { heard, edited }: Matched,
    { gone, goneAccounts, readAt }: StreamBatch,
    tx: EntityManager,
  ): Promise<void> {
    if (edited.length > 0) await this.texts.readAgain(source, edited, readAt ?? null, tx);
    const fresh = heard.length === 0 ? [] : await this.texts.add(source, heard, readAt ?? null, tx);
    const counts =
      fresh.length === 0 ? new Map<string, number>() : await this.listeners.count(source, fresh, tx);
    for (const [workspaceId, own] of groupBy(fresh, (one) => one.workspaceId)) {
      const limit = await this.quotas.limit(workspaceId, 'listened_posts_per_day');
      const over = limit === 0 ? 0 : Math.min(own.length, counts.get(workspaceId)! - limit);
      if (over <= 0) continue;
      const beyond = own.slice(own.length - over);
      await this.texts.settle(workspaceId, beyond, 'unstored', tx);
      await this.listeners.countUnstored(workspaceId, over, tx);
    }
    await this.texts.forget(gone, goneAccounts, tx);
  }
}
