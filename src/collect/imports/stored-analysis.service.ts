import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { mapInSlices } from '../../common/slices.js';
import {
  type CommentResult,
  type ExaminedComment,
  UnanalyzedCommentsRepository,
} from '../../content/comments/unanalyzed-comments.repository.js';
import {
  type ExaminedPost,
  type PostResult,
  UnanalyzedPostsRepository,
} from '../../content/posts/unanalyzed-posts.repository.js';

/** Rows that are read by a statement, and changed by a transaction at most. */
const ROWS_AT_ONCE = 1_000;

/** Progress of the analysis of a workspace. */
export interface AnalysisProgress {
  /** Number of posts and comments that were read. */
  examined: number;
  /** Number of posts and comments that got results. */
  posts: number;
  comments: number;
}

/** How rows of a table are read, analysed and changed. */
interface Pass<Row, Result> {
  examine: (after: string) => Promise<Row[]>;
  /** An empty list for a row that has results. */
  analyze: (row: Row) => Result[];
  /** Returns the number of rows that changed. */
  save: (results: Result[], tx: EntityManager) => Promise<number>;
}

/**
 * Analyses posts and comments that imports stored without analysis, as imports with analysis do. Rows with results stay
 * as they are, so a pass that was stopped is continued by repeating it.
 */
@Injectable()
export class StoredAnalysis {
  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly posts: UnanalyzedPostsRepository,
    private readonly comments: UnanalyzedCommentsRepository,
  ) {}

  /** Analyses a workspace; calls `onProgress` after every batch. Throws the signal's reason when it aborts. */
  async run(
    workspaceId: string,
    onProgress: (progress: AnalysisProgress) => void,
    signal: AbortSignal,
  ): Promise<AnalysisProgress> {
    const analyzer = TextAnalyzer.load();
    const progress: AnalysisProgress = { examined: 0, posts: 0, comments: 0 };
    const posts: Pass<ExaminedPost, PostResult> = {
      examine: (after) => this.posts.examine(workspaceId, after, ROWS_AT_ONCE),
      analyze: ({ texts, ...row }) =>
        texts === null ? [] : [{ ...row, ...analyzer.analyzePost(texts.title, texts.selftext) }],
      save: (results, tx) => this.posts.save(workspaceId, results, tx),
    };
    const comments: Pass<ExaminedComment, CommentResult> = {
      examine: (after) => this.comments.examine(workspaceId, after, ROWS_AT_ONCE),
      analyze: ({ body, ...row }) => {
        if (body === null) return [];
        const found = analyzer.languageOfComment(body);
        return [{ ...row, language: found.language, ...analyzer.scoreComment(body, found) }];
      },
      save: (results, tx) => this.comments.save(workspaceId, results, tx),
    };
    const passes = { posts: this.batches(posts, signal), comments: this.batches(comments, signal) };
    for (const kind of ['posts', 'comments'] as const)
      for await (const { examined, changed } of passes[kind]) {
        progress.examined += examined;
        progress[kind] += changed;
        onProgress(progress);
      }
    return progress;
  }

  /** Passes over a table in the order of its ids; yields the counts of each batch. */
  private async *batches<Row extends { id: string }, Result>(
    { examine, analyze, save }: Pass<Row, Result>,
    signal: AbortSignal,
  ): AsyncGenerator<{ examined: number; changed: number }> {
    let rows: Row[];
    let after = '';
    do {
      signal.throwIfAborted();
      rows = await examine(after);
      const results = (await mapInSlices(rows, analyze)).flat();
      const changed =
        results.length === 0 ? 0 : await this.transactions.run(signal, (tx) => save(results, tx));
      yield { examined: rows.length, changed };
      after = rows.at(-1)?.id ?? '';
    } while (rows.length === ROWS_AT_ONCE);
  }
}
