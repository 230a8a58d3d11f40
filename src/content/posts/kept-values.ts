import { UNKNOWN_FIELDS } from '../../platforms/unknown-fields.js';
import { labelAssignments } from '../sentiment/corrected-label.js';

/** Follows the source although it is unknown, because it decides whether comments are read. */
const FOLLOWED = 'num_comments';

/** The columns of which a post that is stored again keeps its values: SQL expressions that say when. */
export const KEPT_VALUES: Readonly<Record<string, string>> = {
  ...labelAssignments('posts', 'excluded.sentiment_label', ['excluded.title', 'excluded.selftext']),
  ...Object.fromEntries(
    UNKNOWN_FIELDS.filter((field) => field !== FOLLOWED).map((field) => [
      field,
      `CASE WHEN '${field}' = ANY (excluded.unknown_fields) THEN posts.${field} ELSE excluded.${field} END`,
    ]),
  ),
  // A post of which more was known before keeps that.
  unknown_fields: `CASE WHEN cardinality(posts.unknown_fields) < cardinality(excluded.unknown_fields)
    THEN ARRAY['${FOLLOWED}'] ELSE excluded.unknown_fields END`,
};
