import { Injectable } from '@nestjs/common';
import { mapInSlices } from '../../common/slices.js';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { Problem } from '../../http/problems/problem.js';
import type { SentimentLabel } from '../../enrichment/enrichment.js';
import { SOURCES } from '../../platforms/registry.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { CorrectedLabelsRepository } from '../sentiment/corrected-labels.repository.js';
import { fullView, type RecordView } from '../../search/dto/full-view.dto.js';
import { highlightsOf } from '../../search/highlights.js';
import { cursorAfter, positionOf } from '../../search/list-cursor.js';
import { COMMENT_SEARCH, type CommentFilter, type CommentOrder } from './comment-filter.js';
import type { CommentRecord } from './comment.entity.js';
import { CommentsRepository } from './comments.repository.js';
import {
  type CommentListItemDto,
  type CommentPageDto,
  type CommentViewDto,
  type ListCommentsDto,
  toCommentDto,
  toCommentPostDto,
} from './dto/comment.dto.js';

/** Reads stored comments for the API. */
@Injectable()
export class CommentsService {
  constructor(
    private readonly comments: CommentsRepository,
    private readonly labels: CorrectedLabelsRepository,
    private readonly posts: PostsRepository,
  ) {}

  /**
   * A page of comments, by cursor if one is sent, otherwise by offset. Throws 400 for an order that the filter does not
   * support.
   */
  async list(workspaceId: string, query: ListCommentsDto): Promise<CommentPageDto> {
    const {
      limit = DEFAULT_PAGE_SIZE,
      offset = 0,
      cursor,
      highlight,
      view,
      suggest,
      sort_by,
      sort_order,
      ...filter
    } = query;
    const order = commentOrder({ sort_by, sort_order }, filter);
    if (cursor && offset > 0)
      throw Problem.validation([{ field: 'offset', message: 'offset must not be sent with a cursor' }]);
    const scope = { list: 'comments', workspaceId, filter, order } as const;
    const after = positionOf(cursor, scope, COMMENT_SEARCH);
    const { rows, total } = await this.comments.list(workspaceId, filter, order, {
      after,
      limit: limit + 1,
      offset,
      highlight,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const full = await this.fullViews(workspaceId, view === 'full' ? page : []);
    return {
      comments: await mapInSlices(page, (row): CommentListItemDto => ({
        ...toCommentDto(row),
        ...full.get(row.commentId),
        ...(highlight && { highlights: highlightsOf(row, COMMENT_SEARCH.texts, filter.q) }),
      })),
      total,
      has_more: rows.length > limit,
      ...(suggest === true &&
        total === 0 && { suggestions: await this.comments.suggestions(workspaceId, filter) }),
      ...(cursor !== undefined && { cursor: last === undefined ? cursor : cursorAfter(last, scope) }),
    };
  }

  /** One comment by its platform id. Throws 404. */
  async get(workspaceId: string, commentId: string, view?: RecordView): Promise<CommentViewDto> {
    const comment = await this.comments.find(workspaceId, commentId);
    if (comment === null) throw Problem.notFound('comment');
    const full = await this.fullViews(workspaceId, view === 'full' ? [comment] : []);
    return { ...toCommentDto(comment), ...full.get(commentId) };
  }

  /** Sets the label of a comment's sentiment, or takes it back to the computed one. Throws 404. */
  async correct(workspaceId: string, id: string, label: SentimentLabel | null): Promise<CommentViewDto> {
    const number = SOURCES.commentNumber(id);
    if (!(await this.labels.set('comments', { workspaceId, id: number, label })))
      throw Problem.notFound('comment');
    return this.get(workspaceId, id, 'full');
  }

  /** The fields that `view=full` adds to these comments, by id. */
  private async fullViews(workspaceId: string, comments: readonly CommentRecord[]) {
    if (comments.length === 0) return new Map<string, never>();
    const posts = await this.posts.summaries(workspaceId, [...new Set(comments.map(({ postId }) => postId))]);
    return new Map(
      comments.map((comment) => [
        comment.commentId,
        {
          ...fullView(comment.commentId, comment, [comment.body]),
          post: toCommentPostDto(posts.get(comment.postId)),
        },
      ]),
    );
  }
}

/** The requested order with defaults filled in. Throws 400 for an order that the filter does not support. */
export function commentOrder(requested: Partial<CommentOrder>, filter: CommentFilter): CommentOrder {
  const { sort_by = 'created_utc', sort_order = 'desc' } = requested;
  if (sort_by === 'relevance' && filter.q === undefined)
    throw Problem.validation([{ field: 'sort_by', message: 'sort_by "relevance" needs q' }]);
  if (sort_by === 'thread' && filter.post_id === undefined)
    throw Problem.validation([{ field: 'sort_by', message: 'sort_by "thread" needs post_id' }]);
  return { sort_by, sort_order };
}
