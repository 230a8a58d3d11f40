/** The answer to an alert's question about a text. */
export interface Reading {
  /** Whether the answer was yes. */
  relevant: boolean;
  /** A sentence. */
  reason: string;
}

/** Maximum number of characters of a reason. */
export const MAX_REASON_LENGTH = 200;

/** The relevance within which a model is too uncertain to decide alone, both ends included. */
const [LOWEST_UNCERTAIN, HIGHEST_UNCERTAIN] = [0.25, 0.75];
/** The relevance after the answers yes and no. */
const [AFTER_YES, AFTER_NO] = [0.9, 0.1];

/** Whether a second reading of a match counts. */
export const isUncertain = (relevance: number | null): boolean =>
  relevance !== null && relevance >= LOWEST_UNCERTAIN && relevance <= HIGHEST_UNCERTAIN;

/** The relevance of a match, from that of the model and the second reading, which counts only where the model is uncertain. */
export function relevanceAfter(relevance: number | null, reading: Reading | null): number | null {
  if (reading === null || !isUncertain(relevance)) return relevance;
  return reading.relevant ? AFTER_YES : AFTER_NO;
}

/** {@link relevanceAfter} in SQL. */
export const relevanceAfterSql = (relevance: string, reading: string): string =>
  `CASE WHEN ${reading} IS NULL OR ${relevance} IS NULL
       OR ${relevance} NOT BETWEEN ${LOWEST_UNCERTAIN} AND ${HIGHEST_UNCERTAIN} THEN ${relevance}
     WHEN (${reading} ->> 'relevant')::boolean THEN ${AFTER_YES} ELSE ${AFTER_NO} END::real`;
