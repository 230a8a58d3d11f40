import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { RecordUpsert } from '../../database/record-upsert.js';
import { type ForumCountDto, POST_LIST_FIELDS, type PostListItemDto } from './dto/post.dto.js';
import {
  countPosts,
  type PostFilter,
  type PostOrder,
  type PostPosition,
  selectPosts,
} from './post-filter.js';
import { PostRecord } from './post.entity.js';

export type PostListRow = PostListItemDto & { sort_value: string };

@Injectable()
export class PostsRepository {
  constructor(@InjectRepository(PostRecord) private readonly posts: Repository<PostRecord>) {}

  list(
    workspaceId: string,
    filter: PostFilter,
    order: PostOrder,
    page: { after: PostPosition | null; limit: number },
  ): Promise<PostListRow[]> {
    const { text, parameters } = selectPosts(workspaceId, POST_LIST_FIELDS, filter, order, page);
    return this.posts.query(text, parameters);
  }

  /** Exact. The one place where totals come from, so that counters or a cache can take over here. */
  async count(workspaceId: string, filter: PostFilter): Promise<number> {
    const { text, parameters } = countPosts(workspaceId, filter);
    const [row] = await this.posts.query<[{ total: number }]>(text, parameters);
    return row.total;
  }

  find(workspaceId: string, id: string): Promise<PostRecord | null> {
    return this.posts.findOneBy({ workspace_id: workspaceId, id });
  }

  /** What plugins noted of a post; null when there is no such post. */
  async annotations(workspaceId: string, id: string): Promise<Record<string, unknown> | null> {
    const [row] = await this.posts.query<{ annotations: Record<string, unknown> }[]>(
      'SELECT annotations FROM posts WHERE workspace_id = $1 AND id = $2',
      [workspaceId, id],
    );
    return row?.annotations ?? null;
  }

  countByForum(workspaceId: string): Promise<ForumCountDto[]> {
    return this.posts.query(
      `SELECT min(forum) AS forum, count(*)::int AS post_count FROM posts
       WHERE workspace_id = $1 GROUP BY lower(forum) ORDER BY post_count DESC, forum`,
      [workspaceId],
    );
  }

  /** `num_comments` of those of the posts that are stored; -1 where the platform counted some and none is stored. */
  async commentCounts(workspaceId: string, ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.posts.query<{ id: string; counted: number }[]>(
      `SELECT id, CASE WHEN num_comments = 0 OR EXISTS (
           SELECT 1 FROM comments WHERE comments.workspace_id = posts.workspace_id AND comments.post_id = posts.id
         ) THEN num_comments ELSE -1 END AS counted
       FROM posts WHERE workspace_id = $1 AND id = ANY($2)`,
      [workspaceId, ids],
    );
    return new Map(rows.map((row) => [row.id, row.counted]));
  }

  /**
   * Stores posts of one workspace, each id at most once; known ones take the new values. Rows go in in id order,
   * so that two jobs over the same posts cannot wait for each other. Returns the ids that were not stored before.
   */
  async upsert(
    workspaceId: string,
    records: readonly (Omit<PostRecord, 'workspace_id'> & { annotations?: Record<string, unknown> })[],
    tx: EntityManager,
  ): Promise<Set<string>> {
    return new Set(await UPSERT.run(workspaceId, records, tx));
  }
}

const UPSERT = new RecordUpsert<Omit<PostRecord, 'workspace_id'>>('posts', [
  ['id', 'text'],
  ['forum', 'text'],
  ['title', 'text'],
  ['author', 'text'],
  ['created_utc', 'timestamptz'],
  ['permalink', 'text'],
  ['url', 'text'],
  ['score', 'integer'],
  ['upvote_ratio', 'double precision'],
  ['num_comments', 'integer'],
  ['selftext', 'text'],
  ['post_type', 'text'],
  ['is_nsfw', 'boolean'],
  ['is_spoiler', 'boolean'],
  ['flair', 'text'],
  ['total_awards', 'integer'],
  ['has_media', 'boolean'],
  ['media_urls', 'text[]'],
  ['sentiment_score', 'double precision'],
  ['sentiment_label', 'text'],
  ['keywords', 'text[]'],
  ['scraped_at', 'timestamptz'],
]);
