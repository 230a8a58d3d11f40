import { givenEntries } from '../../common/collections.js';
import { type FieldError, Problem } from '../../http/problems/problem.js';
import { validationPipe } from '../../http/parameters/validation.pipe.js';
import {
  CommentExportFiltersDto,
  ExportedCommentFiltersDto,
  ExportedPostFiltersDto,
  PostExportFiltersDto,
} from './dto/export-job.dto.js';
import type { ExportedKind } from './exported-table.js';

/** Filters of saved searches and datasets, which can be searched again. */
const OF_SEARCHES = { posts: PostExportFiltersDto, comments: CommentExportFiltersDto };
/** Filters of exports. */
export const OF_EXPORTS = { posts: ExportedPostFiltersDto, comments: ExportedCommentFiltersDto };

const pipe = validationPipe();

/**
 * Validates the filters of a search or, with {@link OF_EXPORTS}, of an export like those of a list, and returns them in an order that does not depend on the
 * request. Throws 400.
 */
export async function checkedFilters(
  kind: ExportedKind,
  filters: Record<string, unknown>,
  allowed: Record<ExportedKind, new () => object> = OF_SEARCHES,
): Promise<Record<string, unknown>> {
  const checked = await valid(filters, allowed[kind]);
  // Values in a query string are always text, but in JSON a number sent as text is an error.
  const wrong = Object.keys(filters).filter((field) => typeof checked[field] !== typeof filters[field]);
  if (wrong.length > 0)
    throw Problem.validation(
      wrong.map((field) => ({
        field: `filters.${field}`,
        message: `filters.${field} must be a JSON ${typeof checked[field]}`,
      })),
    );
  return Object.fromEntries(givenEntries(checked));
}

async function valid(
  filters: Record<string, unknown>,
  metatype: new () => object,
): Promise<Record<string, unknown>> {
  try {
    return (await pipe.transform(filters, { type: 'body', metatype })) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof Problem) || error.extra.errors === undefined) throw error;
    throw Problem.validation(error.extra.errors.map(belowFilters));
  }
}

const belowFilters = ({ field, message }: FieldError): FieldError => ({ field: `filters.${field}`, message });
