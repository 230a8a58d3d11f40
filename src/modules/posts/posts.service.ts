import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE } from '../../http/offset-page.dto.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../../http/cursor.js';
import { camelCase } from '../../common/letter-case.js';
import { unstorable } from '../../http/input-hygiene.js';
import { givenEntries } from '../../common/given-entries.js';
import { Problem } from '../../http/problem.js';
import type { ListPostsDto } from './dto/list-posts.dto.js';
import {
  type ForumCountDto,
  POST_LIST_FIELDS,
  type PostDto,
  type PostPageDto,
  toListItem,
  toPostDto,
} from './dto/post.dto.js';
import { isSortValue, type PostFilter, type PostOrder, type PostPosition } from './post-filter.js';
import { PostsRepository } from './posts.repository.js';

const LIST_PROPERTIES = POST_LIST_FIELDS.map(camelCase);

@Injectable()
export class PostsService {
  constructor(private readonly posts: PostsRepository) {}

  async list(workspaceId: string, query: ListPostsDto): Promise<PostPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, cursor, sort_by, sort_order, ...filter } = query;
    const order = postOrder({ sort_by, sort_order }, filter);
    const question = [workspaceId, order.sort_by, order.sort_order, givenEntries(filter)];
    // An empty first page answers with an empty cursor; sent back, it means the same.
    const after = cursor ? toPosition(decodeCursor(cursor, question), order) : null;
    const { rows, total } = await this.posts.list(workspaceId, LIST_PROPERTIES, filter, order, {
      after,
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      posts: page.map(toListItem),
      total,
      cursor: last === undefined ? (cursor ?? '') : encodeCursor([last.sortValue, last.id], question),
      has_more: rows.length > limit,
    };
  }

  async get(workspaceId: string, id: string): Promise<PostDto> {
    const post = await this.posts.find(workspaceId, id);
    if (post === null) throw Problem.notFound('post');
    return toPostDto(post);
  }

  async annotations(workspaceId: string, id: string): Promise<Record<string, unknown>> {
    const annotations = await this.posts.annotations(workspaceId, id);
    if (annotations === null) throw Problem.notFound('post');
    return annotations;
  }

  async countByForum(workspaceId: string): Promise<ForumCountDto[]> {
    const counts = await this.posts.countByForum(workspaceId);
    return counts.map(({ forum, postCount }) => ({ forum, post_count: postCount }));
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

function toPosition([value, id]: unknown[], order: PostOrder): PostPosition {
  const isPosition =
    typeof value === 'string' &&
    typeof id === 'string' &&
    isSortValue(order.sort_by, value) &&
    unstorable(id) === null;
  if (!isPosition) throw invalidCursor();
  return { value, id };
}
