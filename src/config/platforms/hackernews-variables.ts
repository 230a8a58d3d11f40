import { address, wholeNumber } from '../../common/variable-types.js';

/** The variables of Hacker News. */
export const HACKERNEWS_VARIABLES = {
  HACKERNEWS_API_URL: address('http:', 'https:')
    .default('https://hn.algolia.com/api/v1')
    .describe('the Algolia API of Hacker News, for targets that begin with `hn:`'),
  HACKERNEWS_REQUESTS_PER_HOUR: wholeNumber(6, 1_000_000_000)
    .default(9_000)
    .describe('budget shared by all workers; at most a sixth of it is used in any ten minutes'),
};
