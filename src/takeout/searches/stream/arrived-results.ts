import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SqlParameters } from '../../../database/sql.js';
import { COMMENT_SEARCH } from '../../../content/comments/comment-filter.js';
import { CommentsRepository } from '../../../content/comments/comments.repository.js';
import { type CommentDto, toCommentDto } from '../../../content/comments/dto/comment.dto.js';
import { type PostDto, toPostDto } from '../../../content/posts/dto/post.dto.js';
import { POST_SEARCH } from '../../../content/posts/post-filter.js';
import { PostsRepository } from '../../../content/posts/posts.repository.js';
import { conditionOf } from '../../../search/sql/conditions.js';
import type { SavedSearch } from '../saved-search.entity.js';

/** Longer than a node of a cluster takes to commit after the coordinator, unless one of them ended in between. */
const COMMIT_MS = 50;

/** Which of some stored rows a saved search finds. */
@Injectable()
export class ArrivedResults {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
  ) {}

  /** The records of the rows that the search finds, by row id: the id of a post, the number of a comment. */
  async find(
    workspaceId: string,
    { of, q, filters }: Pick<SavedSearch, 'of' | 'q' | 'filters'>,
    rowIds: readonly string[],
  ): Promise<Map<string, PostDto | CommentDto>> {
    const table = of === 'posts' ? POST_SEARCH : COMMENT_SEARCH;
    const parameters = new SqlParameters();
    const condition = conditionOf(table, workspaceId, { ...filters, ...(q !== null && { q }) }, parameters);
    const rows = await this.dataSource.query<{ rowId: string; id: string }[]>(
      `SELECT id::text AS "rowId", ${of === 'posts' ? 'id' : 'comment_id'} AS id FROM ${table.name}
       WHERE ${condition} AND id = ANY(${parameters.add(rowIds)}::${table.idType}[])`,
      parameters.values,
    );
    const ids = rows.map(({ id }) => id);
    if (of === 'posts') {
      const posts = await this.posts.findMany(workspaceId, ids);
      return recordsOf(rows, posts, toPostDto);
    }
    return recordsOf(rows, await this.comments.findMany(workspaceId, ids), toCommentDto);
  }

  /**
   * Whether all rows of transactions that have ended can be read, now or after at most `waits` times 50 ms. On Citus a
   * node commits after the coordinator, and if it ended in between, up to a minute after it is back.
   */
  async areReadable(workspaceId: string, waits = 1): Promise<boolean> {
    let left = await this.uncommitted(workspaceId);
    for (let wait = 0; left.length > 0 && wait < waits; wait += 1) {
      await sleep(COMMIT_MS);
      const still = new Set(await this.uncommitted(workspaceId));
      left = left.filter((id) => still.has(id));
    }
    return left.length === 0;
  }

  /** The transactions that Citus has prepared on the server with the workspace's rows, and not yet committed there. */
  private async uncommitted(workspaceId: string): Promise<string[]> {
    // It has one row for every workspace, and runs where the rows are.
    const [row] = await this.dataSource.query<[{ count: number; ids: string[] }]>(
      `SELECT count(*), ARRAY(SELECT gid FROM pg_prepared_xact() WHERE gid LIKE 'citus\\_%') AS ids
       FROM (SELECT 1 FROM ${POST_SEARCH.name} WHERE workspace_id = $1 LIMIT 1) AS stored`,
      [workspaceId],
    );
    return row.ids;
  }
}

function recordsOf<Row, Shown>(
  rows: readonly { rowId: string; id: string }[],
  stored: ReadonlyMap<string, Row>,
  show: (row: Row) => Shown,
): Map<string, Shown> {
  const records = new Map<string, Shown>();
  for (const { rowId, id } of rows) {
    const row = stored.get(id);
    if (row !== undefined) records.set(rowId, show(row));
  }
  return records;
}
