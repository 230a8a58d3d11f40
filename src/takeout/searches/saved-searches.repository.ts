import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { filtersWithoutAuthor, withoutAuthor } from '../../search/query/erased-author.js';
import type { Listener } from '../../tenants/ports/listeners.js';
import { listenedQuery } from './listened-query.js';
import { SavedSearch } from './saved-search.entity.js';

/** Saved searches of workspaces. */
@Injectable()
export class SavedSearchesRepository {
  constructor(@InjectRepository(SavedSearch) private readonly searches: Repository<SavedSearch>) {}

  /** All searches, oldest first. */
  list(workspaceId: string): Promise<SavedSearch[]> {
    return this.searches.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<SavedSearch | null> {
    return this.searches.findOneBy({ workspaceId, id });
  }

  /** A text that changes when a search of any workspace begins or ends to listen, or its query changes. */
  async listenersVersion(): Promise<string> {
    const [row] = await this.searches.query<[{ version: string }]>(
      `SELECT count(*) || ':' || coalesce(sum(hashtextextended(ROW(id, listen, q, of, filters)::text, 0)), 0) AS version
       FROM saved_searches WHERE listen <> '{}'`,
    );
    return row.version;
  }

  /** The searches of all workspaces that listen. */
  async listeners(): Promise<Listener[]> {
    const found = await this.searches.createQueryBuilder().where(`listen <> '{}'`).getMany();
    return found.map(({ workspaceId, id, listen, of, q, filters }) => ({
      ...{ workspaceId, id, listen, of, keywords: [], forums: [] },
      query: listenedQuery({ q, filters }),
    }));
  }

  /** What the searches of a workspace listen to. */
  listened(
    workspaceId: string,
    tx: EntityManager = this.searches.manager,
  ): Promise<Pick<SavedSearch, 'id' | 'listen'>[]> {
    return tx.query(`SELECT id, listen FROM saved_searches WHERE workspace_id = $1 AND listen <> '{}'`, [
      workspaceId,
    ]);
  }

  /** The searches with these ids. */
  findAll(workspaceId: string, ids: readonly string[]): Promise<SavedSearch[]> {
    return this.searches.findBy({ workspaceId, id: In([...ids]) });
  }

  /** Stores a search unless the workspace has `limit` already; returns whether it did. */
  async insert(
    workspaceId: string,
    search: Omit<SavedSearch, 'workspaceId'>,
    limit: number,
    tx: EntityManager,
  ): Promise<boolean> {
    // Inserts of one workspace take turns, so that together they keep the limit.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('saved_searches:' || $1, 0))`, [
      workspaceId,
    ]);
    if ((await tx.countBy(SavedSearch, { workspaceId })) >= limit) return false;
    await tx.insert(SavedSearch, { ...search, workspaceId });
    return true;
  }

  async update(
    workspaceId: string,
    id: string,
    changes: Partial<SavedSearch>,
    tx: EntityManager = this.searches.manager,
  ): Promise<void> {
    await tx.update(SavedSearch, { workspaceId, id }, changes);
  }

  /** Replaces the name of an erased author in queries and filters, and in names, which are queries by default. */
  async eraseAuthor(workspaceId: string, author: string): Promise<void> {
    const found = await this.searches
      .createQueryBuilder()
      .where('workspace_id = :workspaceId', { workspaceId })
      .andWhere(`strpos(lower(concat_ws(' ', name, q, filters)), lower(:author)) > 0`, { author })
      .getMany();
    for (const { id, name, q, filters } of found)
      await this.update(workspaceId, id, {
        name: withoutAuthor(name, author),
        q: q && withoutAuthor(q, author),
        filters: filtersWithoutAuthor(filters, author),
      });
  }

  /** The search whose feed has a token with this hash; null when there is none. */
  findByFeed(workspaceId: string, feedTokenHash: string): Promise<SavedSearch | null> {
    return this.searches.findOneBy({ workspaceId, feedTokenHash });
  }

  /** Sets or removes the hash of the token of a feed; false when the workspace has no such search. */
  async setFeed(workspaceId: string, id: string, feedTokenHash: string | null): Promise<boolean> {
    return (await this.searches.update({ workspaceId, id }, { feedTokenHash })).affected === 1;
  }

  /** Deletes a search; false when the workspace has no such search. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    return (await this.searches.delete({ workspaceId, id })).affected === 1;
  }
}
