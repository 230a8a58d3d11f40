import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SqlParameters } from '../../../database/sql.js';
import { COMMENT_SEARCH } from '../../comments/comment-filter.js';
import { CommentsRepository } from '../../comments/comments.repository.js';
import { type CommentDto, toCommentDto } from '../../comments/dto/comment.dto.js';
import { type PostDto, toPostDto } from '../../posts/dto/post.dto.js';
import { POST_SEARCH } from '../../posts/post-filter.js';
import { PostsRepository } from '../../posts/posts.repository.js';
import { conditionOf } from '../../search/sql/conditions.js';
import type { SavedSearch } from '../saved-search.entity.js';

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
