/** The states of a match, in the order in which it usually passes them. */
export const MATCH_STATES = ['new', 'seen', 'kept', 'dismissed'] as const;
export type MatchState = (typeof MATCH_STATES)[number];

/** The state of matches that are never pruned. */
export const KEPT: MatchState = 'kept';

/** The states that say whether a match is relevant. */
export const DECIDED: readonly MatchState[] = ['kept', 'dismissed'];
/** {@link DECIDED} as a list in SQL. */
export const DECIDED_SQL = DECIDED.map((state) => `'${state}'`).join(', ');

/** Whether a match, or a fresh one, is below the relevance that its alert asks for. One without relevance is not. */
export const isHidden = (relevance: number | null, minRelevance: number | null): boolean =>
  relevance !== null && minRelevance !== null && Math.fround(relevance) < Math.fround(minRelevance);

/** Maximum number of labels of a match. */
export const MAX_LABELS = 20;
/** Maximum number of characters of a label. */
export const MAX_LABEL_LENGTH = 64;
/** Maximum number of characters of a note. */
export const MAX_NOTE_LENGTH = 2_000;
/** Maximum number of ids in one request. */
export const MAX_IDS = 1_000;

/** Labels as they are stored: sorted, each once. */
export const storedLabels = (labels: readonly string[]): string[] => [...new Set(labels)].sort();
