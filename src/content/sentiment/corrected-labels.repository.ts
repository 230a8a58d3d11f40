import { Injectable } from '@nestjs/common';
import type { SentimentLabel } from '../../enrichment/enrichment.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { computedLabel } from './corrected-label.js';

/** A record, and the label of its sentiment; null for the computed one. */
interface Correction {
  workspaceId: string;
  /** Of its row. */
  id: string | number;
  label: SentimentLabel | null;
}

/** Sentiment labels that people set, in the rows of posts and comments. */
@Injectable()
export class CorrectedLabelsRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** Sets the label of a record, or takes it back to the computed one; false when the record is not stored. */
  set(table: 'posts' | 'comments', { workspaceId, id, label }: Correction): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const [, changed] = await tx.query<[unknown[], number]>(
        `UPDATE ${table} SET sentiment_label = coalesce($3::text, ${computedLabel(table)}),
           model_label = CASE WHEN $3::text IS NOT NULL THEN ${computedLabel(table)} END
         WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id, label],
      );
      return changed === 1;
    });
  }
}
