import { Inject, Injectable } from '@nestjs/common';
import { FairTurns, NoTurnError } from '../../common/fair-turns.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import type { Sql } from '../../database/sql.js';
import { Problem } from '../../http/problems/problem.js';
import { hasMatch, type WantedMatch } from '../../alerts/triage/matched-records.js';
import { COMMENT_SEARCH } from '../../content/comments/comment-filter.js';
import { commentOrder } from '../../content/comments/comments.service.js';
import { POST_SEARCH } from '../../content/posts/post-filter.js';
import { postOrder } from '../../content/posts/posts.service.js';
import type { RowsRequest } from '../../search/search-request.js';
import { SearchService } from '../../search/search.service.js';
import { ConcurrencyQuotas } from '../../tenants/usage/concurrency-quotas.js';
import type { ExportCommentsDto, ExportPostsDto } from './dto/export-query.dto.js';
import { ExportCursor } from './export-cursor.js';
import { EXPORTED_TABLES, type ExportedKind, type ExportedRow } from './exported-table.js';

/** Maximum number of rows in one streamed export. */
export const MAX_STREAMED_ROWS = 10_000;

const WAITERS = { total: 100, perTenant: 50 };
const WAIT_MS = 60_000;
const RETRY_AFTER_SECONDS = '10';

/** The rows of an export, in batches. */
export interface OpenExport {
  batches: AsyncIterable<ExportedRow[]>;
  /** Releases the resources of the export. Must be called exactly once, however the export ends. */
  end(): void;
}

/** Opens streamed exports within the workspace's quota; workspaces take turns for the connections. */
@Injectable()
export class ExportsService {
  private readonly turns: FairTurns;

  constructor(
    private readonly cursor: ExportCursor,
    private readonly concurrency: ConcurrencyQuotas,
    private readonly searches: SearchService,
    @Inject(ENVIRONMENT) { DATABASE_POOL_EXPORT }: Environment,
  ) {
    this.turns = new FairTurns({ running: () => DATABASE_POOL_EXPORT, waiting: WAITERS });
  }

  /** The statement of an export of posts. Throws 400 for an order that the filter does not support. */
  selectPosts(
    workspaceId: string,
    { sort_by, sort_order, state, label, ...filter }: Omit<ExportPostsDto, 'format'>,
  ): Promise<Sql> {
    const order = postOrder({ sort_by, sort_order }, filter);
    return this.select(workspaceId, 'posts', { table: POST_SEARCH, filter, order }, { state, label });
  }

  /** The statement of an export of comments. Throws 400 for an order that the filter does not support. */
  selectComments(
    workspaceId: string,
    { sort_by, sort_order, state, label, ...filter }: Omit<ExportCommentsDto, 'format'>,
  ): Promise<Sql> {
    const order = commentOrder({ sort_by, sort_order }, filter);
    return this.select(workspaceId, 'comments', { table: COMMENT_SEARCH, filter, order }, { state, label });
  }

  private select(
    workspaceId: string,
    kind: ExportedKind,
    request: Pick<RowsRequest, 'table' | 'filter' | 'order'>,
    match: WantedMatch,
  ): Promise<Sql> {
    return this.searches.statement({
      ...request,
      workspaceId,
      columns: EXPORTED_TABLES[kind].columns,
      limit: MAX_STREAMED_ROWS,
      restriction: (add) => hasMatch(workspaceId, kind, match, add),
    });
  }

  /**
   * Opens the rows of a statement, which are read as the caller consumes them. The first rows have been read when this
   * resolves, so that a failure can still be reported as a problem. `signal` aborts the export.
   */
  async open(workspaceId: string, sql: Sql, signal: AbortSignal): Promise<OpenExport> {
    const leave = await this.concurrency.enter(workspaceId, 'running_exports', signal);
    try {
      const free = await this.turns.take(workspaceId, { atMost: () => Infinity, waitMs: WAIT_MS, signal });
      try {
        const batches = this.cursor.batches(workspaceId, sql, signal);
        const first = await batches.next();
        return {
          batches: startingWith(first, batches),
          end: () => {
            void batches.return();
            free();
            leave();
          },
        };
      } catch (error) {
        free();
        throw error;
      }
    } catch (error) {
      leave();
      throw error instanceof NoTurnError ? busy() : error;
    }
  }
}

/** A sequence whose first item has already been read. */
async function* startingWith<Item>(
  first: IteratorResult<Item, void>,
  rest: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

function busy(): Problem {
  return new Problem('unavailable', 'Too many exports are running. Try again later.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
