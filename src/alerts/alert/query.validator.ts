import { ValidateBy } from 'class-validator';
import { MAX_QUERY_LENGTH, parseQuery } from '../../search/query/parse-query.js';

/** Validates a query in the language of `q` that has something to search. */
export const IsQuery = (): PropertyDecorator =>
  ValidateBy({
    name: 'isQuery',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length <= MAX_QUERY_LENGTH && parseQuery(value).tree !== null,
      defaultMessage: () =>
        `query must contain a word or a filter, and have at most ${MAX_QUERY_LENGTH} characters`,
    },
  });
