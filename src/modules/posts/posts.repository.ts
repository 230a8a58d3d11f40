import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
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

  countByForum(workspaceId: string): Promise<ForumCountDto[]> {
    return this.posts.query(
      `SELECT min(forum) AS forum, count(*)::int AS post_count FROM posts
       WHERE workspace_id = $1 GROUP BY lower(forum) ORDER BY post_count DESC, forum`,
      [workspaceId],
    );
  }

  /**
   * Stores posts of one workspace, each id at most once; known ones take the new values. Rows go in in id order,
   * so that two jobs over the same posts cannot wait for each other. Returns the ids that were not stored before.
   */
  async upsert(
    workspaceId: string,
    records: readonly Omit<PostRecord, 'workspace_id'>[],
    tx: EntityManager,
  ): Promise<Set<string>> {
    if (records.length === 0) return new Set();
    const rows = [...records].sort((a, b) => (a.id < b.id ? -1 : 1));
    const columns = UPSERT_COLUMNS.map(([name]) => name);
    const stored = await tx.query<{ id: string; is_new: boolean }[]>(
      `INSERT INTO posts (workspace_id, ${columns.join(', ')})
       SELECT $1, ${columns.join(', ')}
       FROM json_to_recordset($2) AS row (${UPSERT_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')})
       ON CONFLICT (workspace_id, id) DO UPDATE SET
         ${columns
           .filter((name) => name !== 'id')
           .map((name) => `${name} = excluded.${name}`)
           .join(', ')}
       RETURNING id, xmax = 0 AS is_new`,
      [workspaceId, JSON.stringify(rows)],
    );
    return new Set(stored.filter((row) => row.is_new).map((row) => row.id));
  }
}

const UPSERT_COLUMNS = [
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
] as const satisfies readonly (readonly [keyof PostRecord, string])[];
