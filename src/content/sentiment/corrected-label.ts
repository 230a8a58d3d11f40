import { GONE } from '../../text/gone-text.js';

/**
 * Expressions for the columns of sentiment labels when a record is stored with a `computed` label: a label that a person
 * set stays, unless the platform shows a placeholder in place of one of the `texts`. All are SQL expressions.
 */
export function labelAssignments(
  table: 'posts' | 'comments',
  computed: string,
  texts: readonly string[],
): Record<'sentiment_label' | 'model_label', string> {
  const isKept = [
    `${table}.model_label IS NOT NULL`,
    ...texts.map((text) => `${text} !~* '${GONE.source}'`),
  ].join(' AND ');
  return {
    sentiment_label: `CASE WHEN ${isKept} THEN ${table}.sentiment_label ELSE ${computed} END`,
    model_label: `CASE WHEN ${isKept} THEN ${computed} END`,
  };
}

/** The computed label of a stored record, as an SQL expression. */
export const computedLabel = (table: 'posts' | 'comments'): string =>
  `coalesce(${table}.model_label, ${table}.sentiment_label)`;
