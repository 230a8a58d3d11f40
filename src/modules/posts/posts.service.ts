import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE } from '../../http/offset-page.dto.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../../http/cursor.js';
import { publicId } from '../../common/ids.js';
import { unstorable } from '../../http/input-hygiene.js';
import { givenEntries } from '../../common/given-entries.js';
import { Problem } from '../../http/problem.js';
import type { ListPostsDto } from './dto/list-posts.dto.js';
import type { ForumCountDto, PostDto, PostListItemDto, PostPageDto } from './dto/post.dto.js';
import { isSortValue, type PostFilter, type PostOrder, type PostPosition } from './post-filter.js';
import { PostsRepository } from './posts.repository.js';

@Injectable()
export class PostsService {
  constructor(private readonly posts: PostsRepository) {}

  async list(workspaceId: string, query: ListPostsDto): Promise<PostPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, cursor, sort_by, sort_order, ...filter } = query;
    const order = postOrder({ sort_by, sort_order }, filter);
    const question = [workspaceId, order.sort_by, order.sort_order, givenEntries(filter)];
    // An empty first page answers with an empty cursor; sent back, it means the same.
    const after = cursor ? toPosition(decodeCursor(cursor, question), order) : null;
    const { rows, total } = await this.posts.list(workspaceId, filter, order, { after, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      posts: page.map(listItem),
      total,
      cursor: last === undefined ? (cursor ?? '') : encodeCursor([last.sort_value, last.id], question),
      has_more: rows.length > limit,
    };
  }

  async get(workspaceId: string, id: string): Promise<PostDto> {
    const post = await this.posts.find(workspaceId, id);
    if (post === null) throw Problem.notFound('post');
    return { ...post, workspace_id: publicId('workspace', workspaceId) };
  }

  async annotations(workspaceId: string, id: string): Promise<Record<string, unknown>> {
    const annotations = await this.posts.annotations(workspaceId, id);
    if (annotations === null) throw Problem.notFound('post');
    return annotations;
  }

  countByForum(workspaceId: string): Promise<ForumCountDto[]> {
    return this.posts.countByForum(workspaceId);
  }
}

/** The order asked for, with its defaults. Relevance is relevance to something. */
export function postOrder(asked: Partial<PostOrder>, filter: PostFilter): PostOrder {
  const order: PostOrder = {
    sort_by: asked.sort_by ?? 'created_utc',
    sort_order: asked.sort_order ?? 'desc',
  };
  if (order.sort_by === 'relevance' && filter.q === undefined)
    throw Problem.validation([{ field: 'sort_by', message: 'sort_by "relevance" needs q' }]);
  return order;
}

/** The fields of a list item, without what else the row carries. */
function listItem(row: PostListItemDto): PostListItemDto {
  return {
    id: row.id,
    forum: row.forum,
    title: row.title,
    author: row.author,
    created_utc: row.created_utc,
    score: row.score,
    upvote_ratio: row.upvote_ratio,
    num_comments: row.num_comments,
    selftext: row.selftext,
    post_type: row.post_type,
    sentiment_label: row.sentiment_label,
    sentiment_score: row.sentiment_score,
  };
}

function toPosition([value, id]: unknown[], order: PostOrder): PostPosition {
  const isPosition =
    typeof value === 'string' &&
    typeof id === 'string' &&
    isSortValue(order.sort_by, value) &&
    unstorable(id) === null;
  if (!isPosition) throw invalidCursor();
  return { value, id };
}
