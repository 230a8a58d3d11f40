/** The data that enrichment adds to content from the platform. Depends only on its input; holds no connection. */

export const SENTIMENT_LABELS = ['positive', 'negative', 'neutral'] as const;
export type SentimentLabel = (typeof SENTIMENT_LABELS)[number];

/** The sentiment of a text: a score and the label that follows from it. */
export interface Sentiment {
  /** In [-1, 1]: p(positive) - p(negative). */
  score: number;
  label: SentimentLabel;
}

/** Result of the analysis of a post's text. */
export interface PostAnalysis {
  /** BCP 47 primary language; `und` when it cannot be known. */
  language: string;
  sentiment: Sentiment;
  /** Lower-case phrases of one to three words as they occur in the text, best first. */
  keywords: string[];
}
