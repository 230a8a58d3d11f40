import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { Listeners } from '../../tenants/ports/listeners.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import { COMMENT_SORTS } from '../../content/comments/comment-filter.js';
import { checkedFilters } from '../exports/export-filters.js';
import { POST_SORTS } from '../../content/posts/post-filter.js';
import { parseQuery } from '../../search/query/parse-query.js';
import { type CreateSearchDto, SearchDto, type UpdateSearchDto } from './dto/saved-search.dto.js';
import type { SavedSearch } from './saved-search.entity.js';
import { SavedSearchesRepository } from './saved-searches.repository.js';

/** Maximum number of saved searches of a workspace. */
const MAX_SEARCHES = 1_000;
const SORTS: Record<SavedSearch['of'], readonly string[]> = { posts: POST_SORTS, comments: COMMENT_SORTS };

/** Keeps searches under names. */
@Injectable()
export class SearchesService {
  constructor(
    private readonly searches: SavedSearchesRepository,
    private readonly transactions: TransactionRunner,
    private readonly listeners: Listeners,
    private readonly clock: Clock,
  ) {}

  async list(workspaceId: string): Promise<SearchDto[]> {
    return (await this.searches.list(workspaceId)).map((search) => SearchDto.from(search));
  }

  /** One search. Throws 404. */
  async get(workspaceId: string, id: string): Promise<SearchDto> {
    return SearchDto.from(await this.find(workspaceId, id));
  }

  /** Throws 400 for filters that the list does not have, and 403 `quota_exceeded`. */
  async create(workspaceId: string, request: CreateSearchDto): Promise<SearchDto> {
    const search: SavedSearch = {
      workspaceId,
      id: newId(),
      name: request.name,
      of: request.of ?? 'posts',
      q: request.q ?? null,
      filters: request.filters ?? {},
      sortBy: request.sort_by ?? null,
      sortOrder: request.sort_order ?? 'desc',
      listen: request.listen ?? [],
      createdAt: this.clock.now(),
      feedTokenHash: null,
    };
    await check(search);
    const isStored = await this.transactions.run(async (tx) => {
      await this.listeners.enforce(workspaceId, search, tx);
      return this.searches.insert(workspaceId, search, MAX_SEARCHES, tx);
    });
    if (!isStored)
      throw new Problem(
        'quota_exceeded',
        `A workspace has at most ${MAX_SEARCHES} saved searches. Delete one first.`,
      );
    return SearchDto.from(search);
  }

  /** Changes the fields that the request has. Throws 404, and 400 as {@link create} does. */
  async update(workspaceId: string, id: string, request: UpdateSearchDto): Promise<SearchDto> {
    const former = await this.find(workspaceId, id);
    const search: SavedSearch = {
      ...former,
      name: request.name ?? former.name,
      q: request.q === undefined ? former.q : request.q,
      filters: request.filters ?? former.filters,
      sortBy: request.sort_by === undefined ? former.sortBy : request.sort_by,
      sortOrder: request.sort_order ?? former.sortOrder,
      listen: request.listen ?? former.listen,
    };
    await check(search);
    const { name, q, filters, sortBy, sortOrder, listen } = search;
    await this.transactions.run(async (tx) => {
      await this.listeners.enforce(workspaceId, search, tx);
      await this.searches.update(workspaceId, id, { name, q, filters, sortBy, sortOrder, listen }, tx);
    });
    return SearchDto.from(search);
  }

  /** Throws 404. */
  async delete(workspaceId: string, id: string): Promise<void> {
    noteRecord(await this.find(workspaceId, id), null);
    if (!(await this.searches.delete(workspaceId, id))) throw Problem.notFound('search');
  }

  private async find(workspaceId: string, id: string): Promise<SavedSearch> {
    const search = await this.searches.find(workspaceId, id);
    if (search === null) throw Problem.notFound('search');
    return search;
  }
}

async function check({ of, q, filters, sortBy, listen }: SavedSearch): Promise<void> {
  if (listen.length > 0 && parseQuery(q ?? '').tree === null)
    throw Problem.validation([{ field: 'listen', message: 'listen needs a q with something to find' }]);
  if ('q' in filters)
    throw Problem.validation([{ field: 'filters.q', message: 'filters.q must be sent as q' }]);
  await checkedFilters(of, { ...filters });
  if (sortBy !== null && !SORTS[of].includes(sortBy))
    throw Problem.validation([
      { field: 'sort_by', message: `sort_by must be one of ${SORTS[of].join(', ')}` },
    ]);
}
