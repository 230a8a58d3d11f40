import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { computedLabel, labelAssignments } from '../sentiment/corrected-label.js';
import type { PostAnalysis } from '../../enrichment/enrichment.js';

/** A post, with its texts if it has no results. */
export interface ExaminedPost {
  id: string;
  texts: { title: string; selftext: string } | null;
  /** When it was stored, as Postgres writes it. */
  scrapedAt: string;
}

/** The results of a post that was examined. */
export type PostResult = PostAnalysis & Pick<ExaminedPost, 'id' | 'scrapedAt'>;

const LABEL = labelAssignments('posts', 'result.label', []);

/** Posts that an import stored without analysis. */
@Injectable()
export class UnanalyzedPostsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Posts after an id, in its order, at most `limit`. */
  examine(workspaceId: string, after: string, limit: number): Promise<ExaminedPost[]> {
    return this.dataSource.query(
      `SELECT id, scraped_at::text AS "scrapedAt",
         CASE WHEN language = 'und' AND sentiment_score = 0 AND keywords = '{}'
           THEN json_build_object('title', title, 'selftext', selftext) END AS texts
       FROM posts WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [workspaceId, after, limit],
    );
  }

  /** Stores results of posts that were not stored again since they were examined; returns how many posts changed. */
  async save(workspaceId: string, results: readonly PostResult[], tx: EntityManager): Promise<number> {
    const rows = results.map(({ sentiment, ...rest }) => ({ ...rest, ...sentiment }));
    const [, changed] = await tx.query<[unknown[], number]>(
      `UPDATE posts SET language = result.language, sentiment_score = result.score, sentiment_label = ${LABEL.sentiment_label},
         model_label = ${LABEL.model_label},
         keywords = result.keywords
       FROM json_to_recordset($2) AS result
         (id text, "scrapedAt" timestamptz, language text, score float8, label text, keywords text[])
       WHERE posts.workspace_id = $1 AND posts.id = result.id AND posts.scraped_at = result."scrapedAt"
         AND (posts.language, posts.sentiment_score, ${computedLabel('posts')}, posts.keywords)
           IS DISTINCT FROM (result.language, result.score, result.label, result.keywords)`,
      [workspaceId, JSON.stringify(rows)],
    );
    return changed;
  }
}
