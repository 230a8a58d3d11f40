import type { IdForms } from '../platform-definition.js';

/** Numbers from here on belong to comments of Hacker News. */
const OFFSET = 2 ** 52;

/** Ids of Hacker News: posts and comments are items of one sequence. The number of a comment is its item's plus 2^52. */
export const HACKERNEWS_IDS = {
  post: 'hn_',
  comment: 'hn_',
  numbers: {
    from: OFFSET,
    to: 2 * OFFSET,
    of: (commentId) => {
      const item = /^hn_(\d{1,15})$/.exec(commentId)?.[1];
      return item === undefined ? null : OFFSET + Number(item);
    },
  },
} as const satisfies IdForms;
