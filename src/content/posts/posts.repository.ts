import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Raw, type Repository } from 'typeorm';
import { selectedProperties, selectList } from '../../database/entity-columns.js';
import { queryPrepared } from '../../database/prepared-query.js';
import { mapInSlices } from '../../common/slices.js';
import { findAuthorsAmong } from '../../database/authors-among.js';
import { findStoredIds, type StoredId } from '../../database/stored-ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { PageRequest, SearchPage } from '../../search/search-request.js';
import { SearchService } from '../../search/search.service.js';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { readNoLater, RecordUpsert, type Upserted } from '../../database/record-upsert.js';
import { labelAssignments } from '../sentiment/corrected-label.js';
import { POST_SEARCH, type PostFilter, type PostOrder } from './post-filter.js';
import { KEPT_VALUES } from './kept-values.js';
import { PostRecord } from './post.entity.js';
import { searchable } from './searchable-post.js';
import type { PostScore } from './post-score.entity.js';
import { SCORE_HISTORY } from './score-history.js';
import { recordArrivals } from '../arrivals/record-arrivals.js';
import { subjectsOfPost } from '../suppressions/suppressed-subject.js';
import { Suppressions } from '../suppressions/suppressions.service.js';

/** The data of a stored post that a scrape needs. */
export interface ExistingPost {
  forum: string;
  numComments: number;
  /** When the reading of the stored text began, database time. */
  scrapedAt: Date;
}

/** The values that replace a post's content. */
export type OverwrittenPost = Pick<
  PostRecord,
  | 'id'
  | 'title'
  | 'author'
  | 'selftext'
  | 'url'
  | 'hasMedia'
  | 'mediaUrls'
  | 'sentimentScore'
  | 'sentimentLabel'
  | 'keywords'
>;

/** The fields of a post that a list of matches shows. */
export type PostSummary = Pick<PostRecord, keyof typeof SUMMARY>;

const SUMMARY = {
  id: true,
  forum: true,
  title: true,
  author: true,
  createdUtc: true,
  permalink: true,
} as const;

type NewPost = Omit<PostRecord, 'workspaceId'>;

/** The result of storing posts. */
export interface StoredPosts<Row> {
  /** The posts that are not suppressed. */
  allowed: readonly Row[];
  /** The ids that were not stored before. */
  newIds: ReadonlySet<string>;
  /** The ids of those that were stored with a later reading, which they keep. */
  keptIds: ReadonlySet<string>;
}

/** Posts of one workspace: search and batch upserts. */
@Injectable()
export class PostsRepository {
  constructor(
    @InjectRepository(PostRecord) private readonly posts: Repository<PostRecord>,
    private readonly transactions: TransactionRunner,
    private readonly searches: SearchService,
    private readonly suppressions: Suppressions,
  ) {}

  /** Posts in the requested order after a position, at most `limit`, and the exact total for the filter. */
  list<Property extends keyof PostRecord>(
    workspaceId: string,
    properties: readonly Property[],
    filter: PostFilter,
    order: PostOrder,
    page: Pick<PageRequest, 'after' | 'limit' | 'highlight'>,
  ): Promise<SearchPage<Pick<PostRecord, Property>>> {
    const columns = selectList(properties);
    return this.searches.page({ table: POST_SEARCH, workspaceId, columns, filter, order, ...page });
  }

  /** Similar queries that do have results, for a filter that finds nothing. */
  suggestions(workspaceId: string, filter: PostFilter): Promise<string[]> {
    return this.searches.suggestions({ table: POST_SEARCH, workspaceId, filter });
  }

  /** As {@link findAuthorsAmong}. */
  authorsAmong(workspaceId: string, names: readonly string[]): Promise<string[]> {
    return this.transactions.readViews((tx) =>
      findAuthorsAmong((sql, parameters) => tx.query(sql, parameters), 'posts', workspaceId, names),
    );
  }

  async find(workspaceId: string, id: string): Promise<PostRecord | null> {
    const [post] = await queryPrepared<PostRecord>(this.posts.manager, FIND, [workspaceId, id]);
    return post ?? null;
  }

  /** The annotations that plugins stored for a post; null when there is no such post. */
  async annotations(workspaceId: string, id: string): Promise<Record<string, unknown> | null> {
    const [row] = await this.posts.query<{ annotations: Record<string, unknown> }[]>(
      'SELECT annotations FROM posts WHERE workspace_id = $1 AND id = $2',
      [workspaceId, id],
    );
    return row?.annotations ?? null;
  }

  /**
   * The history of a post's score, oldest first; only the current values when they never changed. Null when there is no
   * such post.
   */
  async scoreHistory(
    workspaceId: string,
    id: string,
  ): Promise<Omit<PostScore, 'workspaceId' | 'postId'>[] | null> {
    const rows = await this.posts.query<Omit<PostScore, 'workspaceId' | 'postId'>[]>(
      `SELECT seen_at AS "seenAt", score, upvote_ratio AS "upvoteRatio", num_comments AS "numComments"
       FROM post_scores WHERE workspace_id = $1 AND post_id = $2 ORDER BY seen_at`,
      [workspaceId, id],
    );
    if (rows.length > 0) return rows;
    const post = await this.find(workspaceId, id);
    return post && [{ ...post, seenAt: post.scrapedAt }];
  }

  /** The newest posts, optionally of certain forums only; forums are compared case-insensitively. */
  newest(workspaceId: string, forums: readonly string[], limit: number): Promise<PostRecord[]> {
    return this.transactions.readViews((tx) =>
      tx.find(PostRecord, {
        where: {
          workspaceId,
          ...(forums.length > 0 && {
            forum: Raw((column) => `lower(${column}) = ANY(:forums)`, {
              forums: forums.map((forum) => forum.toLowerCase()),
            }),
          }),
        },
        order: { createdUtc: 'DESC', id: 'DESC' },
        take: limit,
      }),
    );
  }

  /** Summaries of the given posts that are stored, by id. */
  async summaries(workspaceId: string, ids: readonly string[]): Promise<Map<string, PostSummary>> {
    const posts = await this.posts.find({ select: SUMMARY, where: { workspaceId, id: In([...ids]) } });
    return new Map(posts.map((post) => [post.id, post]));
  }

  /** The given posts that are stored, by id. */
  async findMany(workspaceId: string, ids: readonly string[]): Promise<Map<string, PostRecord>> {
    const posts = await this.posts.find({ where: { workspaceId, id: In([...ids]) } });
    return new Map(posts.map((post) => [post.id, post]));
  }

  /** Locks posts until the transaction ends, so that they are not deleted; the addresses of the media of each, by id. */
  async hold(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<Map<string, string[]>> {
    const rows = await tx.query<{ id: string; urls: string[] }[]>(
      'SELECT id, media_urls AS urls FROM posts WHERE workspace_id = $1 AND id = ANY ($2) FOR KEY SHARE',
      [workspaceId, ids],
    );
    return new Map(rows.map(({ id, urls }) => [id, urls]));
  }

  /** As {@link findStoredIds}, by the ids of posts. */
  findStored(
    workspaceIds: readonly string[],
    keys: readonly string[],
    beginnings: readonly string[],
  ): Promise<StoredId[]> {
    const table = { name: 'posts', keyType: 'text', idColumn: 'id' } as const;
    return findStoredIds((sql, parameters) => this.posts.query(sql, parameters), table, {
      workspaceIds,
      keys,
      beginnings,
    });
  }

  /** Data of the given posts that are stored, by id. */
  async findExisting(workspaceId: string, ids: readonly string[]): Promise<Map<string, ExistingPost>> {
    const posts = await this.posts.find({
      select: { id: true, forum: true, numComments: true, scrapedAt: true },
      where: { workspaceId, id: In([...ids]) },
    });
    return new Map(posts.map((post) => [post.id, post]));
  }

  /** The data a scrape needs to walk the comment trees of these posts, in no particular order. */
  findTrees(
    workspaceId: string,
    ids: readonly string[],
  ): Promise<Pick<PostRecord, 'id' | 'forum' | 'permalink' | 'numComments'>[]> {
    return this.posts.find({
      select: { id: true, forum: true, permalink: true, numComments: true },
      where: { workspaceId, id: In([...ids]) },
    });
  }

  /** Posts whose ids begin with a prefix, after a position in creation order, at most `limit`. */
  listCreatedAfter(
    workspaceId: string,
    idPrefix: string,
    { time, id }: TimePosition,
    limit: number,
  ): Promise<TimePosition[]> {
    return this.posts.query(
      `SELECT created_utc::text AS time, id FROM posts
       WHERE workspace_id = $1 AND (created_utc, id) > ($2::timestamptz, $3) AND starts_with(id, $4)
       ORDER BY created_utc, id LIMIT $5`,
      [workspaceId, time, id, idPrefix, limit],
    );
  }

  /**
   * Replaces the content of posts with the content that the platform shows instead, unless they were read after
   * `scrapedAt`. Returns the ids of the posts that changed.
   */
  async overwriteGone(
    workspaceId: string,
    posts: readonly OverwrittenPost[],
    scrapedAt: Date,
    tx: EntityManager,
  ): Promise<string[]> {
    const [changed] = await tx.query<[{ id: string }[], number]>(
      `UPDATE posts SET title = shown.title, author = shown.author, selftext = shown.selftext, url = shown.url,
         has_media = shown."hasMedia", media_urls = shown."mediaUrls",
         sentiment_score = shown."sentimentScore", sentiment_label = ${SHOWN_LABEL.sentiment_label},
         model_label = ${SHOWN_LABEL.model_label}, keywords = shown.keywords, language = shown.language, is_promotion = shown."isPromotion", search = shown.search, annotations = '{}', scraped_at = $3
       FROM jsonb_to_recordset($2::jsonb) AS shown (id text, title text, author text, selftext text, url text,
         "hasMedia" boolean, "mediaUrls" text[], "sentimentScore" float8, "sentimentLabel" text, keywords text[], language text, "isPromotion" boolean, search tsvector)
       WHERE posts.workspace_id = $1 AND posts.id = shown.id
         AND ${readNoLater('posts', '$3')}
         AND (posts.title, posts.author, posts.selftext, posts.url, posts.media_urls)
           IS DISTINCT FROM (shown.title, shown.author, shown.selftext, shown.url, shown."mediaUrls")
       RETURNING posts.id`,
      [workspaceId, JSON.stringify(posts.map(searchable)), scrapedAt],
    );
    return changed.map(({ id }) => id);
  }

  /**
   * Inserts or updates posts of one workspace that are not suppressed; of several with the same id the first counts.
   * Posts that were read later than the given ones stay as they are. Rows are written in id order, so that two jobs that store the same posts cannot deadlock.
   */
  upsert<Row extends NewPost>(
    workspaceId: string,
    records: readonly Row[],
    tx: EntityManager,
  ): Promise<StoredPosts<Row>> {
    return this.store(workspaceId, records, (rows) => UPSERT.run(workspaceId, rows, tx), tx);
  }

  /** Inserts only posts that the workspace neither has nor suppresses; of several with the same id, the first. */
  insertNew<Row extends NewPost>(
    workspaceId: string,
    records: readonly Row[],
    tx: EntityManager,
  ): Promise<StoredPosts<Row>> {
    const insert = async (rows: readonly (Row & { search: string })[]): Promise<Upserted> => ({
      newIds: await UPSERT.insertNew(workspaceId, rows, tx),
      keptIds: [],
    });
    return this.store(workspaceId, records, insert, tx);
  }

  /** All posts that are stored pass here. */
  private async store<Row extends NewPost>(
    workspaceId: string,
    records: readonly Row[],
    write: (rows: readonly (Row & { search: string })[]) => Promise<Upserted>,
    tx: EntityManager,
  ): Promise<StoredPosts<Row>> {
    const allowed = await this.suppressions.allowed(workspaceId, records, subjectsOfPost, tx);
    const { newIds, keptIds } = await write(await mapInSlices(allowed, searchable));
    await recordArrivals(workspaceId, 'posts', newIds, tx);
    return { allowed, newIds: new Set(newIds), keptIds: new Set(keptIds) };
  }
}

const SHOWN_LABEL = labelAssignments('posts', 'shown."sentimentLabel"', ['shown.title', 'shown.selftext']);
const UPSERT = new RecordUpsert(PostRecord, {
  history: SCORE_HISTORY,
  assigned: KEPT_VALUES,
});
const FIND = {
  name: 'find_post',
  text: `SELECT ${selectList(selectedProperties(PostRecord))} FROM posts WHERE workspace_id = $1 AND id = $2`,
};
