import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { VersionedCountCache } from '../../database/versioned-count-cache.js';
import { RecordUpsert } from '../../database/record-upsert.js';
import { type ForumCountDto, POST_LIST_FIELDS, type PostListItemDto } from './dto/post.dto.js';
import {
  countPosts,
  isTallied,
  type PostFilter,
  type PostOrder,
  type PostPosition,
  selectTalliedPosts,
} from './post-filter.js';
import { PostRecord } from './post.entity.js';

/** Totals are of the moment at which the rows were read. */
export interface PostRows {
  rows: (PostListItemDto & { sort_value: string })[];
  total: number;
}

type TalliedRow = PostRows['rows'][number] & { stamp: string; tallied: number };

export interface KnownPost {
  /** -1 where the platform counted some and none is stored. */
  numComments: number;
  /** When it was stored or refreshed last. */
  scrapedAt: Date;
}

@Injectable()
export class PostsRepository {
  private readonly totals = new VersionedCountCache();

  constructor(@InjectRepository(PostRecord) private readonly posts: Repository<PostRecord>) {}

  /** A page and the exact total. The total is counted when the tallies do not know it and rows have changed since. */
  async list(
    workspaceId: string,
    filter: PostFilter,
    order: PostOrder,
    page: { after: PostPosition | null; limit: number },
  ): Promise<PostRows> {
    const { text, parameters } = selectTalliedPosts(workspaceId, POST_LIST_FIELDS, filter, order, page);
    const rows = await this.posts.query<TalliedRow[]>(text, parameters);
    const [row] = rows;
    const seen = row ? { stamp: row.stamp, tallied: isTallied(filter) ? row.tallied : null } : null;
    const total = await this.totals.totalOf(workspaceId, filter, seen, () => this.count(workspaceId, filter));
    return { rows, total };
  }

  private async count(workspaceId: string, filter: PostFilter): Promise<{ stamp: string; total: number }> {
    const { text, parameters } = countPosts(workspaceId, filter);
    const [counted] = await this.posts.query<[{ stamp: string; total: number }]>(text, parameters);
    return counted;
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

  /** Fullest forum first; a forum that was met in more than one spelling counts as one. */
  countByForum(workspaceId: string): Promise<ForumCountDto[]> {
    return this.posts.query(
      `SELECT min(forum) AS forum, sum(posts)::int AS post_count
       FROM (SELECT forum, sum(rows) AS posts FROM post_tallies WHERE workspace_id = $1
             GROUP BY forum HAVING sum(rows) > 0) AS spelling
       GROUP BY lower(forum) ORDER BY post_count DESC, forum`,
      [workspaceId],
    );
  }

  /** Those of the posts that are stored, by id. */
  async known(workspaceId: string, ids: readonly string[]): Promise<Map<string, KnownPost>> {
    const rows = await this.posts.query<({ id: string } & KnownPost)[]>(
      `SELECT id, CASE WHEN num_comments = 0 OR EXISTS (
           SELECT 1 FROM comments WHERE comments.workspace_id = posts.workspace_id AND comments.post_id = posts.id
         ) THEN num_comments ELSE -1 END AS "numComments",
         scraped_at AS "scrapedAt"
       FROM posts WHERE workspace_id = $1 AND id = ANY($2)`,
      [workspaceId, ids],
    );
    return new Map(rows.map(({ id, ...post }) => [id, post]));
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
