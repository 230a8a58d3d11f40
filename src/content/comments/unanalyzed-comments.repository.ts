import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { computedLabel, labelAssignments } from '../sentiment/corrected-label.js';
import type { Sentiment } from '../../enrichment/enrichment.js';

/** Below the number of every comment. */
const FIRST = String(Number.MIN_SAFE_INTEGER);

/** A comment, with its text if it has no results. */
export interface ExaminedComment {
  /** The number by which comments are ordered. */
  id: string;
  body: string | null;
  /** When it was stored, as Postgres writes it. */
  scrapedAt: string;
}

/** The results of a comment that was examined. */
export type CommentResult = Sentiment & { language: string } & Pick<ExaminedComment, 'id' | 'scrapedAt'>;

const LABEL = labelAssignments('comments', 'result.label', []);

/** Comments that an import stored without analysis. */
@Injectable()
export class UnanalyzedCommentsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Comments after a number, in its order, at most `limit`; begins with the first when `after` is empty. */
  examine(workspaceId: string, after: string, limit: number): Promise<ExaminedComment[]> {
    return this.dataSource.query(
      `SELECT id::text AS id, scraped_at::text AS "scrapedAt",
         CASE WHEN language = 'und' AND sentiment_score = 0 THEN body END AS body
       FROM comments WHERE workspace_id = $1 AND comments.id > $2 ORDER BY comments.id LIMIT $3`,
      [workspaceId, after || FIRST, limit],
    );
  }

  /** Stores results of comments that were not stored again since they were examined; returns how many comments changed. */
  async save(workspaceId: string, results: readonly CommentResult[], tx: EntityManager): Promise<number> {
    const [, changed] = await tx.query<[unknown[], number]>(
      `UPDATE comments SET language = result.language, sentiment_score = result.score, sentiment_label = ${LABEL.sentiment_label},
         model_label = ${LABEL.model_label}
       FROM json_to_recordset($2) AS result
         (id bigint, "scrapedAt" timestamptz, language text, score float8, label text)
       WHERE comments.workspace_id = $1 AND comments.id = result.id AND comments.scraped_at = result."scrapedAt"
         AND (comments.language, comments.sentiment_score, ${computedLabel('comments')})
           IS DISTINCT FROM (result.language, result.score, result.label)`,
      [workspaceId, JSON.stringify(results)],
    );
    return changed;
  }
}
