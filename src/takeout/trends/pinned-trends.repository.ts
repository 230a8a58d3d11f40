import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { withoutAuthor } from '../../search/query/erased-author.js';
import { PinnedTrend } from './pinned-trend.entity.js';

/** Pinned trends of workspaces. */
@Injectable()
export class PinnedTrendsRepository {
  constructor(@InjectRepository(PinnedTrend) private readonly pins: Repository<PinnedTrend>) {}

  /** All pins, oldest first. */
  list(workspaceId: string): Promise<PinnedTrend[]> {
    return this.pins.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Stores a pin unless the workspace has `limit` already; returns whether it did. */
  async insert(pin: PinnedTrend, limit: number, tx: EntityManager): Promise<boolean> {
    const { workspaceId } = pin;
    // Inserts of one workspace take turns, so that together they keep the limit.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('pinned_trends:' || $1, 0))`, [
      workspaceId,
    ]);
    if ((await tx.countBy(PinnedTrend, { workspaceId })) >= limit) return false;
    await tx.insert(PinnedTrend, pin);
    return true;
  }

  /** Deletes a pin with its link; false when the workspace has no such pin. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    return (await this.pins.delete({ workspaceId, id })).affected === 1;
  }

  /** Sets or removes the link of a pin; false when the workspace has no such pin. */
  async setLink(
    workspaceId: string,
    id: string,
    link: Pick<PinnedTrend, 'linkHash' | 'linkExpiresAt'>,
  ): Promise<boolean> {
    return (await this.pins.update({ workspaceId, id }, link)).affected === 1;
  }

  /** The pin with a link that has this hash and has not ended; null for none. Crosses workspaces: the hash names the pin. */
  findByLink(linkHash: string, now: Date): Promise<PinnedTrend | null> {
    return this.pins.findOneBy({ linkHash, linkExpiresAt: MoreThan(now) });
  }

  /** Replaces the name of an erased author in the queries of pins. */
  async eraseAuthor(workspaceId: string, author: string): Promise<void> {
    for (const { id, trend } of await this.list(workspaceId)) {
      const queries = trend.queries.map((query) => withoutAuthor(query, author));
      if (queries.join() !== trend.queries.join())
        await this.pins.update({ workspaceId, id }, { trend: { ...trend, queries } });
    }
  }
}
