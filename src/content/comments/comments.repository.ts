import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { selectedProperties, selectList } from '../../database/entity-columns.js';
import type { PageRequest, SearchPage } from '../../search/search-request.js';
import { SearchService } from '../../search/search.service.js';
import { recordArrivals } from '../arrivals/record-arrivals.js';
import { readNoLater, RecordUpsert } from '../../database/record-upsert.js';
import { findAuthorsAmong } from '../../database/authors-among.js';
import { findStoredIds, type StoredId } from '../../database/stored-ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { SOURCES } from '../../platforms/registry.js';
import { DELETED } from '../../platforms/platform.js';
import { mapInSlices } from '../../common/slices.js';
import { searchValue } from '../../text/search-value.js';
import { detectLanguage } from '../../text/language/detect-language.js';
import { isPromotionalComment } from '../promotion/is-promotion.js';
import { labelAssignments } from '../sentiment/corrected-label.js';
import { CommentRecord } from './comment.entity.js';
import { subjectsOfComment } from '../suppressions/suppressed-subject.js';
import { Suppressions } from '../suppressions/suppressions.service.js';
import { COMMENT_SEARCH, type CommentFilter, type CommentOrder } from './comment-filter.js';

/** Columns that are selected by default. */
const COLUMNS = selectList(selectedProperties(CommentRecord));

/** Below the number of every comment. */
const FIRST = String(Number.MIN_SAFE_INTEGER);

/** A comment to store. */
export type NewComment = Omit<CommentRecord, 'workspaceId' | 'forum'> & { forum: string };

/** The values that replace a comment's content. */
export type OverwrittenComment = Pick<
  CommentRecord,
  'id' | 'commentId' | 'author' | 'body' | 'sentimentScore' | 'sentimentLabel'
>;

/** Comments of one workspace: search, counts and batch upserts. */
@Injectable()
export class CommentsRepository {
  constructor(
    @InjectRepository(CommentRecord) private readonly comments: Repository<CommentRecord>,
    private readonly transactions: TransactionRunner,
    private readonly searches: SearchService,
    private readonly suppressions: Suppressions,
  ) {}

  /** Comments in the requested order, at most `limit`, and the exact total for the filter. */
  async list(
    workspaceId: string,
    filter: CommentFilter,
    order: CommentOrder,
    page: Pick<PageRequest, 'after' | 'limit' | 'offset' | 'highlight'>,
  ): Promise<SearchPage<CommentRecord>> {
    const found = await this.searches.page<CommentRecord>({
      table: COMMENT_SEARCH,
      workspaceId,
      columns: COLUMNS,
      filter,
      order,
      ...page,
    });
    // The driver returns 64-bit integers as text.
    for (const comment of found.rows) comment.id = Number(comment.id);
    return found;
  }

  /** Similar queries that do have results, for a filter that finds nothing. */
  suggestions(workspaceId: string, filter: CommentFilter): Promise<string[]> {
    return this.searches.suggestions({ table: COMMENT_SEARCH, workspaceId, filter });
  }

  /** As {@link findAuthorsAmong}. */
  authorsAmong(workspaceId: string, names: readonly string[]): Promise<string[]> {
    return this.transactions.readViews((tx) =>
      findAuthorsAmong((sql, parameters) => tx.query(sql, parameters), 'comments', workspaceId, names),
    );
  }

  /** Number of all comments. */
  async countAll(workspaceId: string): Promise<number> {
    const [{ total }] = await this.comments.query<[{ total: number }]>(
      'SELECT coalesce(sum(rows), 0)::int AS total FROM comment_count_deltas WHERE workspace_id = $1',
      [workspaceId],
    );
    return total;
  }

  /** The comment with a platform id; null when the workspace has none. */
  find(workspaceId: string, commentId: string): Promise<CommentRecord | null> {
    return this.comments.findOneBy({ workspaceId, id: SOURCES.commentNumber(commentId), commentId });
  }

  /** The comments with these platform ids that are stored, by platform id. */
  async findMany(
    workspaceId: string,
    commentIds: readonly string[],
  ): Promise<Map<string, CommentRecord & { forum: string }>> {
    const numbers = commentIds.map((id) => SOURCES.commentNumber(id));
    const comments = (await this.comments
      .createQueryBuilder('comment')
      .addSelect('comment.forum')
      .where({ workspaceId, id: In(numbers) })
      .getMany()) as (CommentRecord & { forum: string })[];
    return new Map(comments.map((comment) => [comment.commentId, comment]));
  }

  /** As {@link findStoredIds}, by the platform ids of comments. */
  findStored(
    workspaceIds: readonly string[],
    ids: readonly string[],
    beginnings: readonly string[],
  ): Promise<StoredId[]> {
    const table = { name: 'comments', keyType: 'bigint', idColumn: 'comment_id' } as const;
    const keys = ids.map((id) => SOURCES.commentNumber(id));
    return findStoredIds((sql, parameters) => this.comments.query(sql, parameters), table, {
      workspaceIds,
      keys,
      beginnings,
    });
  }

  /** Ids of the given posts that have at least one stored comment. */
  async postsWithComments(workspaceId: string, postIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.comments.query<{ id: string }[]>(
      `SELECT id FROM unnest($2::text[]) AS wanted (id)
       WHERE EXISTS (SELECT 1 FROM comments WHERE workspace_id = $1 AND post_id = wanted.id)`,
      [workspaceId, postIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Inserts or updates comments of one workspace that are not suppressed; of several with the same id the first counts.
   * Comments that were read later than the given ones stay as they are. Returns the numbers of those that are new.
   */
  upsert(workspaceId: string, records: readonly NewComment[], tx: EntityManager): Promise<Set<number>> {
    const write = async (rows: readonly ReturnType<typeof searchable<NewComment>>[]): Promise<string[]> =>
      (await UPSERT.run(workspaceId, rows, tx)).newIds;
    return this.store(workspaceId, records, write, tx);
  }

  /** The newest comments, optionally of certain forums only; forums are compared case-insensitively. */
  newest(
    workspaceId: string,
    forums: readonly string[],
    limit: number,
  ): Promise<(CommentRecord & { forum: string })[]> {
    return this.transactions.readViews((tx) =>
      tx.query(
        `SELECT ${COLUMNS}, forum FROM comments
         WHERE workspace_id = $1 AND (cardinality($2::text[]) = 0 OR lower(forum) = ANY($2))
         ORDER BY created_utc DESC, id DESC LIMIT $3`,
        [workspaceId, forums.map((forum) => forum.toLowerCase()), limit],
      ),
    );
  }

  /** Ids and bodies of the newest comments, each body up to a number of characters. */
  newestTexts(
    workspaceId: string,
    limit: number,
    characters: number,
  ): Promise<{ id: string; text: string }[]> {
    return this.comments.query(
      `SELECT comment_id AS id, left(body, $3) AS text FROM comments
       WHERE workspace_id = $1 ORDER BY created_utc DESC, id DESC LIMIT $2`,
      [workspaceId, limit, characters],
    );
  }

  /**
   * Inserts only comments that the workspace neither has nor suppresses (of several with the same id, the first); returns
   * their numbers.
   */
  insertNew(workspaceId: string, records: readonly NewComment[], tx: EntityManager): Promise<Set<number>> {
    return this.store(workspaceId, records, (rows) => UPSERT.insertNew(workspaceId, rows, tx), tx);
  }

  /** All comments that are stored pass here. */
  private async store(
    workspaceId: string,
    records: readonly NewComment[],
    write: (rows: readonly ReturnType<typeof searchable<NewComment>>[]) => Promise<string[]>,
    tx: EntityManager,
  ): Promise<Set<number>> {
    const allowed = await this.suppressions.allowed(workspaceId, records, subjectsOfComment, tx);
    const newIds = await write(await mapInSlices(allowed, searchable));
    await recordArrivals(workspaceId, 'comments', newIds, tx);
    return new Set(newIds.map(Number));
  }

  /** Comments whose ids begin with a prefix, after a position in creation order, at most `limit`. */
  listCreatedAfter(
    workspaceId: string,
    idPrefix: string,
    { time, id }: TimePosition,
    limit: number,
  ): Promise<(TimePosition & Pick<CommentRecord, 'commentId'>)[]> {
    return this.comments.query(
      `SELECT created_utc::text AS time, id::text AS id, comment_id AS "commentId" FROM comments
       WHERE workspace_id = $1 AND (created_utc, id) > ($2::timestamptz, $3::bigint) AND id >= $4 AND id < $5
         AND starts_with(comment_id, $7)
       ORDER BY created_utc, id LIMIT $6`,
      [workspaceId, time, id || FIRST, ...SOURCES.commentNumbers(idPrefix), limit, idPrefix],
    );
  }

  /**
   * Threads of comments whose ids begin with a prefix. A thread's position is that of its oldest comment since `since`.
   * Returns those after a position in creation order, at most `limit`, with the ids of their comments since then that
   * are not already overwritten as deleted.
   */
  listThreadsAfter(
    workspaceId: string,
    idPrefix: string,
    since: Date,
    { time, id }: TimePosition,
    limit: number,
  ): Promise<(TimePosition & Pick<CommentRecord, 'postId'> & { commentIds: string[] })[]> {
    return this.comments.query(
      `SELECT first.created_utc::text AS time, first.id::text AS id, first.post_id AS "postId",
         ARRAY(SELECT comment_id FROM comments
           WHERE workspace_id = $1 AND post_id = first.post_id AND created_utc >= $2 AND body <> $8) AS "commentIds"
       FROM comments AS first
       WHERE workspace_id = $1 AND (created_utc, id) > ($3::timestamptz, $4::bigint) AND id >= $5 AND id < $6
         AND starts_with(comment_id, $9)
         AND NOT EXISTS (
           SELECT 1 FROM comments AS earlier
           WHERE earlier.workspace_id = $1 AND earlier.post_id = first.post_id AND earlier.created_utc >= $2
             AND (earlier.created_utc, earlier.id) < (first.created_utc, first.id))
       ORDER BY first.created_utc, first.id LIMIT $7`,
      [workspaceId, since, time, id || FIRST, ...SOURCES.commentNumbers(idPrefix), limit, DELETED, idPrefix],
    );
  }

  /**
   * Replaces the content of comments with the content that the platform shows instead, unless they were read after
   * `scrapedAt`. Returns the ids of the comments that changed.
   */
  async overwriteGone(
    workspaceId: string,
    comments: readonly OverwrittenComment[],
    scrapedAt: Date,
    tx: EntityManager,
  ): Promise<string[]> {
    const [changed] = await tx.query<[{ id: string }[], number]>(
      `UPDATE comments SET author = shown.author, body = shown.body, sentiment_score = shown."sentimentScore",
         sentiment_label = ${SHOWN_LABEL.sentiment_label}, model_label = ${SHOWN_LABEL.model_label}, search = shown.search, language = shown.language, is_promotion = shown."isPromotion", annotations = '{}', scraped_at = $3
       FROM jsonb_to_recordset($2::jsonb) AS shown (id bigint, author text, body text,
         "sentimentScore" float8, "sentimentLabel" text, search tsvector, language text, "isPromotion" boolean)
       WHERE comments.workspace_id = $1 AND comments.id = shown.id
         AND ${readNoLater('comments', '$3')}
         AND (comments.author, comments.body) IS DISTINCT FROM (shown.author, shown.body)
       RETURNING comments.comment_id AS id`,
      [workspaceId, JSON.stringify(comments.map(searchable)), scrapedAt],
    );
    return changed.map(({ id }) => id);
  }

  /** Depths of the given comments that are stored, by comment number. */
  async depths(workspaceId: string, ids: readonly number[]): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.comments.query<{ id: string; depth: number }[]>(
      'SELECT id, depth FROM comments WHERE workspace_id = $1 AND id = ANY($2::bigint[])',
      [workspaceId, ids],
    );
    return new Map(rows.map(({ id, depth }) => [Number(id), depth]));
  }
}

/** A record with its words, by which searches find it, its language, and whether it is promotion. */
const searchable = <Row extends Pick<CommentRecord, 'commentId' | 'author' | 'body' | 'language'>>(
  row: Row,
): Row & { search: string; language: string; isPromotion: boolean } => ({
  ...row,
  language: row.language ?? detectLanguage(row.body),
  isPromotion: isPromotionalComment(row),
  search: searchValue({ title: '', text: row.body }),
});

const SHOWN_LABEL = labelAssignments('comments', 'shown."sentimentLabel"', ['shown.body']);
const UPSERT = new RecordUpsert(CommentRecord, {
  assigned: labelAssignments('comments', 'excluded.sentiment_label', ['excluded.body']),
});
