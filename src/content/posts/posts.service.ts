import { Injectable } from '@nestjs/common';
import { mapInSlices } from '../../common/slices.js';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { camelCase } from '../../common/strings.js';
import { Problem } from '../../http/problems/problem.js';
import type { ListPostsDto } from './dto/list-posts.dto.js';
import {
  type ForumCountDto,
  POST_LIST_FIELDS,
  type PostListItemDto,
  type PostPageDto,
  type PostViewDto,
  toListItem,
  toPostDto,
  type PostHistoryDto,
} from './dto/post.dto.js';
import type { SentimentLabel } from '../../enrichment/enrichment.js';
import { fullView, type RecordView } from '../../search/dto/full-view.dto.js';
import { highlightsOf } from '../../search/highlights.js';
import { cursorAfter, positionOf } from '../../search/list-cursor.js';
import { CorrectedLabelsRepository } from '../sentiment/corrected-labels.repository.js';
import { PostCountsRepository } from './post-counts.repository.js';
import { POST_SEARCH, type PostFilter, type PostOrder } from './post-filter.js';
import type { PostRecord } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';

const LIST_PROPERTIES = [
  ...POST_LIST_FIELDS.map(camelCase),
  'language',
  'modelLabel',
  'unknownFields',
] as const;

/** Lists and reads posts of one workspace. */
@Injectable()
export class PostsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly counts: PostCountsRepository,
    private readonly labels: CorrectedLabelsRepository,
  ) {}

  /**
   * A page of posts, restricted to one job's posts when `stored` is given. Throws 400 for an order that the filter does
   * not support.
   */
  async list(
    workspaceId: string,
    query: ListPostsDto,
    stored?: { jobId: string; ids: readonly string[] },
  ): Promise<PostPageDto> {
    const {
      limit = DEFAULT_PAGE_SIZE,
      cursor,
      highlight,
      view,
      suggest,
      sort_by,
      sort_order,
      ...asked
    } = query;
    const filter: PostFilter = { ...asked, ids: stored?.ids };
    const order = postOrder({ sort_by, sort_order }, filter);
    // The cursor is bound to the job, not to its posts, because a running job keeps adding posts.
    const scope = {
      list: 'posts',
      workspaceId,
      filter: { ...asked, job_id: stored?.jobId },
      order,
    } as const;
    const after = positionOf(cursor, scope, POST_SEARCH);
    const { rows, total } = await this.posts.list(workspaceId, LIST_PROPERTIES, filter, order, {
      after,
      limit: limit + 1,
      highlight,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      posts: await mapInSlices(page, (row): PostListItemDto => ({
        ...toListItem(row),
        ...(view === 'full' && fullPostView(row)),
        ...(highlight && { highlights: highlightsOf(row, POST_SEARCH.texts, filter.q) }),
      })),
      total,
      cursor: last === undefined ? (cursor ?? '') : cursorAfter(last, scope),
      has_more: rows.length > limit,
      ...(suggest === true &&
        total === 0 && { suggestions: await this.posts.suggestions(workspaceId, filter) }),
    };
  }

  async get(workspaceId: string, id: string, view?: RecordView): Promise<PostViewDto> {
    const post = await this.posts.find(workspaceId, id);
    if (post === null) throw Problem.notFound('post');
    return {
      ...toPostDto(post),
      ...(view === 'full' && fullPostView(post)),
    };
  }

  /** Sets the label of a post's sentiment, or takes it back to the computed one. Throws 404. */
  async correct(workspaceId: string, id: string, label: SentimentLabel | null): Promise<PostViewDto> {
    if (!(await this.labels.set('posts', { workspaceId, id, label }))) throw Problem.notFound('post');
    return this.get(workspaceId, id, 'full');
  }

  async annotations(workspaceId: string, id: string): Promise<Record<string, unknown>> {
    const annotations = await this.posts.annotations(workspaceId, id);
    if (annotations === null) throw Problem.notFound('post');
    return annotations;
  }

  async scoreHistory(workspaceId: string, id: string): Promise<PostHistoryDto> {
    const history = await this.posts.scoreHistory(workspaceId, id);
    if (history === null) throw Problem.notFound('post');
    return {
      history: history.map(({ seenAt, score, upvoteRatio, numComments }) => ({
        seen_at: seenAt,
        score,
        upvote_ratio: upvoteRatio,
        num_comments: numComments,
      })),
    };
  }

  async countByForum(workspaceId: string): Promise<ForumCountDto[]> {
    const counts = await this.counts.countByForum(workspaceId);
    return counts.map(({ forum, postCount }) => ({ forum, post_count: postCount }));
  }
}

/** What `view=full` adds to a post. */
function fullPostView(
  post: Pick<
    PostRecord,
    'id' | 'title' | 'selftext' | 'author' | 'language' | 'modelLabel' | 'unknownFields'
  >,
) {
  return { ...fullView(post.id, post, [post.title, post.selftext]), unknown: post.unknownFields };
}

/** The requested order with defaults filled in. Throws 400 for `relevance` without `q`. */
export function postOrder(asked: Partial<PostOrder>, filter: PostFilter): PostOrder {
  const order: PostOrder = {
    sort_by: asked.sort_by ?? 'created_utc',
    sort_order: asked.sort_order ?? 'desc',
  };
  if (order.sort_by === 'relevance' && filter.q === undefined)
    throw Problem.validation([{ field: 'sort_by', message: 'sort_by "relevance" needs q' }]);
  return order;
}
