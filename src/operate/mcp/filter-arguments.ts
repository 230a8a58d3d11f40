import { z, type ZodRawShape, type ZodType } from 'zod';
import { COMMENT_SEARCH } from '../../content/comments/comment-filter.js';
import { POST_SEARCH } from '../../content/posts/post-filter.js';
import { SENTIMENT_LABELS } from '../../enrichment/enrichment.js';
import { POST_TYPES } from '../../platforms/platform.js';
import type { SearchedTable } from '../../search/searched-table.js';

/** Filters that no argument sets: they choose rows by their ids. */
const WITHOUT_ARGUMENT: ReadonlySet<string> = new Set(['ids']);
/** The only values of some fields. */
const VALUES: Record<string, readonly string[]> = { sentiment: SENTIMENT_LABELS, post_type: POST_TYPES };
/** Explanations of filters whose names do not say enough for an assistant. */
const EXPLANATIONS: Record<string, string> = {
  forum: 'Forum, as in the answers of count_by',
  language: 'BCP 47 primary language, such as de',
  source: 'Name of a source, as in the answers of count_by',
  post_id: 'Id of a post, as in search_posts: its comments only',
  keyword: 'An extracted keyword, exactly',
  created_after: 'ISO 8601 with zone, inclusive',
  created_before: 'ISO 8601 with zone, exclusive',
};

const Q = z
  .string()
  .max(4_000)
  .optional()
  .describe(
    'Query language: words, "phrases", OR, -not, title:, forum:, author:, score:>10, after:2026-01-31',
  );

/** The arguments of a tool that filter comments. */
export const COMMENT_FILTERS = filterArguments(COMMENT_SEARCH);

/** The arguments of a tool that filter posts. */
export const POST_FILTERS = filterArguments(POST_SEARCH);

/** An optional argument for each filter of a table, and `q`. */
function filterArguments({ fields, filters }: SearchedTable): ZodRawShape {
  const names = Object.keys(filters).filter((name) => !WITHOUT_ARGUMENT.has(name));
  return {
    q: Q,
    ...Object.fromEntries(
      names.map((name) => {
        const argument = typeOf(name, fields[filters[name]!.field]!.type).optional();
        const explanation = EXPLANATIONS[name];
        return [name, explanation === undefined ? argument : argument.describe(explanation)];
      }),
    ),
  };
}

function typeOf(name: string, type: SearchedTable['fields'][string]['type']): ZodType {
  const values = VALUES[name];
  if (values !== undefined) return z.enum(values as [string, ...string[]]);
  if (type === 'boolean') return z.boolean();
  if (type === 'integer') return z.number().int();
  return type === 'float8' ? z.number() : z.string();
}
