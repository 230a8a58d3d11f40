import { DELETED } from './platform.js';
import { SOURCES } from './registry.js';

/** Prefixes of the ids of content whose authors are different when their names differ only in case. */
const PREFIXES = SOURCES.all
  .filter((definition) => definition.isCaseSensitive('user'))
  .flatMap(({ ids }) => [...new Set([ids.post, ids.comment])]);

/**
 * Whether the author of a post or comment is compared with the case of its name, by the id of the content. What stands in
 * place of an author is no name.
 */
export const isCaseSensitiveAuthor = (id: string, author: string): boolean =>
  author !== DELETED && PREFIXES.some((prefix) => id.startsWith(prefix));

/** {@link isCaseSensitiveAuthor} as a condition over a table with a column `author` and the given column of ids. */
export function caseSensitiveAuthors(idColumn: string): string {
  const isOfSource = PREFIXES.map((prefix) => `starts_with(${idColumn}, '${prefix}')`);
  return `(author <> '${DELETED}' AND (${isOfSource.join(' OR ') || 'FALSE'}))`;
}
