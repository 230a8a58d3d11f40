import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor } from '../../common/cursor.js';
import { publicId } from '../../common/ids.js';
import { Problem } from '../../common/problem.js';
import type { ListPostsDto } from './dto/list-posts.dto.js';
import type { ForumCountDto, PostDto, PostPageDto } from './dto/post.dto.js';
import type { PostFilter, PostOrder, PostPosition } from './post-filter.js';
import { PostsRepository } from './posts.repository.js';

const DEFAULT_LIMIT = 50;

@Injectable()
export class PostsService {
  constructor(private readonly posts: PostsRepository) {}

  async list(workspaceId: string, query: ListPostsDto): Promise<PostPageDto> {
    const { limit = DEFAULT_LIMIT, cursor, sort_by, sort_order, ...filter } = query;
    const order = postOrder({ sort_by, sort_order }, filter);
    const question = [
      workspaceId,
      order.sort_by,
      order.sort_order,
      Object.entries(filter)
        .filter(([, value]) => value !== undefined)
        .sort(),
    ];
    const after = cursor === undefined ? null : toPosition(decodeCursor(cursor, question));
    const [rows, total] = await Promise.all([
      this.posts.list(workspaceId, filter, order, { after, limit: limit + 1 }),
      this.posts.count(workspaceId, filter),
    ]);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      posts: page.map(({ sort_value: _, ...item }) => item),
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

/** A cursor that passed its check was written by {@link PostsService.list}. */
function toPosition([value, id]: unknown[]): PostPosition {
  return { value: value as number | string, id: id as string };
}
