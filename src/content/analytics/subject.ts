import { isTimeZone } from '../../common/time-zone.js';
import { Problem } from '../../http/problems/problem.js';
import { COMMENT_SEARCH } from '../comments/comment-filter.js';
import { POST_SEARCH } from '../posts/post-filter.js';
import { facetsOf, type SearchedTable } from '../../search/searched-table.js';
import type { Subject } from './dto/analytics.dto.js';

/** The tables that analytics can be about. */
export const TABLES: Record<Subject, SearchedTable> = { posts: POST_SEARCH, comments: COMMENT_SEARCH };

/** Throws 400 for a filter, or a value sent in `field`, that the subject does not have. */
export function refuseUnknown(of: Subject, filter: object, values: readonly string[], field: string): void {
  const table = TABLES[of];
  const facets = facetsOf(table);
  const errors = [
    ...Object.entries(filter)
      .filter(([name, value]) => value !== undefined && name !== 'q' && !(name in table.filters))
      .map(([name]) => ({ field: name, message: `${of} cannot be filtered by ${name}` })),
    ...values
      .filter((value) => !facets.includes(value))
      .map((value) => ({
        field,
        message: `${field} ${value} does not exist for ${of}. Use one of: ${facets.join(', ')}`,
      })),
  ];
  if (errors.length > 0) throw Problem.validation(errors);
}

/** Throws 400 for a name that is not an IANA time zone. */
export function refuseTimeZone(timezone: string): void {
  if (!isTimeZone(timezone))
    throw Problem.validation([
      { field: 'timezone', message: 'timezone must be an IANA time zone, e.g. Europe/Berlin' },
    ]);
}
