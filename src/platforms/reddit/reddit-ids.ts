import type { IdForms } from '../platform-definition.js';

/** Ids of comments are base-36 numbers far below this bound. */
const END = 2 ** 52;

/** Ids of Reddit: a kind and a base-36 number. The number of a comment is that number. */
export const REDDIT_IDS = {
  post: 't3_',
  comment: 't1_',
  numbers: {
    from: 0,
    to: END,
    of: (commentId) => {
      const digits = /^t1_([0-9a-z]{1,11})$/i.exec(commentId)?.[1];
      const number = digits === undefined ? END : Number.parseInt(digits, 36);
      return number < END ? number : null;
    },
  },
} as const satisfies IdForms;
