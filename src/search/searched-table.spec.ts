import { COMMENT_SEARCH, COMMENT_SORTS } from '../content/comments/comment-filter.js';
import { POST_SEARCH, POST_SORTS } from '../content/posts/post-filter.js';
import { sortsOf, sortTypeOf } from './searched-table.js';

describe.each([
  ['posts', POST_SEARCH, POST_SORTS],
  ['comments', COMMENT_SEARCH, COMMENT_SORTS],
])('the fields of %s', (_, table, sorts) => {
  it('have the orders of the list', () => {
    expect(sortsOf(table).sort()).toEqual([...sorts].sort());
    for (const sort of sorts)
      expect(['timestamptz', 'integer', 'float8', 'relevance', 'none']).toContain(sortTypeOf(table, sort));
  });

  it('have every field that a filter compares', () => {
    const { fields, filters, countedFilters, indexedFilters } = table;
    for (const { field } of Object.values(filters)) expect(Object.keys(fields)).toContain(field);
    for (const name of [...countedFilters, ...indexedFilters]) expect(Object.keys(filters)).toContain(name);
  });
});
