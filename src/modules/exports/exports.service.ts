import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { FairTurns, NoTurnError } from '../../common/fair-turns.js';
import { camelCase } from '../../common/letter-case.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import type { Sql } from '../../database/sql.js';
import { Problem } from '../../http/problem.js';
import type { PostFilterDto } from '../posts/dto/list-posts.dto.js';
import { POST_FIELDS } from '../posts/dto/post.dto.js';
import { selectPosts } from '../posts/post-filter.js';
import { postOrder } from '../posts/posts.service.js';
import { ConcurrencyQuotas } from '../usage/concurrency-quotas.js';
import { ExportSource } from './export-source.js';

/** Most posts in one export. */
export const MAX_EXPORTED_POSTS = 10_000;

/** Properties of a post that an export reads. */
const PROPERTIES = POST_FIELDS.map(camelCase);

const WAITERS = { total: 100, perTenant: 50 };
const WAIT_MS = 60_000;
const RETRY_AFTER_SECONDS = '10';

/** The posts of an export as rows. */
export interface PostExport {
  rows: Readable;
  /** Frees what the export holds. Must be called once, however the export ends. */
  end(): void;
}

/** Opens exports of posts: within the workspace's quota, and by turns for the connections. */
@Injectable()
export class ExportsService {
  private readonly turns: FairTurns;

  constructor(
    private readonly source: ExportSource,
    private readonly concurrency: ConcurrencyQuotas,
    @Inject(ENVIRONMENT) { DATABASE_POOL_EXPORT }: Environment,
  ) {
    this.turns = new FairTurns({ running: DATABASE_POOL_EXPORT, waiting: WAITERS });
  }

  /**
   * Full records in order, read as the caller consumes them. The first rows are there when this returns, so that a
   * failure can still be answered with a problem. `signal` ends the export.
   */
  async open(workspaceId: string, query: PostFilterDto, signal: AbortSignal): Promise<PostExport> {
    const { sort_by, sort_order, ...filter } = query;
    const order = postOrder({ sort_by, sort_order }, filter);
    const sql = selectPosts(workspaceId, PROPERTIES, filter, order, {
      after: null,
      limit: MAX_EXPORTED_POSTS,
    });
    const leave = await this.concurrency.enter(workspaceId, 'running_exports', signal);
    try {
      const free = await this.turns.take(workspaceId, { atMost: Infinity, waitMs: WAIT_MS, signal });
      try {
        const rows = await this.openRows(sql, signal);
        return {
          rows,
          end: () => {
            rows.destroy();
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

  private async openRows(sql: Sql, signal: AbortSignal): Promise<Readable> {
    const rows = await this.source.open(sql, signal);
    try {
      await once(rows, 'readable', { signal });
      return rows;
    } catch (error) {
      rows.destroy();
      throw error;
    }
  }
}

function busy(): Problem {
  return new Problem('unavailable', 'Too many exports are running. Try again later.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
