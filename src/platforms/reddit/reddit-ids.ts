import { SYNTHETIC_ID_MARK } from '../../config/platforms/reddit-variables.js';
import type { IdForms } from '../platform-definition.js';

/** Ids of comments are base-36 numbers far below this bound, of at most ten digits. */
const END = 36 ** 10;

/** Numbers from here on belong to comments of other sources. */
const SYNTHETIC_END = 2 ** 52;

/** Ids of Reddit: a kind and a base-36 number. The number of a comment is that number. */
export const REDDIT_IDS = {
  post: 't3_',
  comment: 't1_',
  numbers: {
    from: 0,
    to: END,
    of: (commentId) => numberOf(/^t1_([0-9a-z]{1,11})$/i.exec(commentId)?.[1], END),
  },
} as const satisfies IdForms;

const SYNTHETIC_COMMENT = `t1_${SYNTHETIC_ID_MARK}`;

/** Ids of the synthetic platform in place of Reddit: a kind, the mark and a base-36 number. */
export const SYNTHETIC_IDS = {
  post: `t3_${SYNTHETIC_ID_MARK}`,
  comment: SYNTHETIC_COMMENT,
  numbers: {
    from: END,
    to: SYNTHETIC_END,
    of: (commentId) => {
      if (!commentId.startsWith(SYNTHETIC_COMMENT)) return null;
      const digits = /^[0-9a-z]{1,11}$/.exec(commentId.slice(SYNTHETIC_COMMENT.length))?.[0];
      const number = numberOf(digits, SYNTHETIC_END - END);
      return number === null ? null : END + number;
    },
  },
} as const satisfies IdForms;

/** Whether a full name is one of a comment of Reddit or of the synthetic platform. */
export const isCommentId = (id: string): boolean =>
  [SYNTHETIC_IDS, REDDIT_IDS].some(({ numbers }) => numbers.of(id) !== null);

/** The number below `end` that digits in base 36 stand for; null if there is none. */
function numberOf(digits: string | undefined, end: number): number | null {
  const number = digits === undefined ? end : Number.parseInt(digits, 36);
  return number < end ? number : null;
}
