import type { StopReason } from '../../jobs/stop-reasons.js';

/** A count with its noun, e.g. `1 comment`, `2 comments`. */
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How many posts a batch stored, and how many the job has stored in total. */
export const postsStored = (posts: number, total: number): string =>
  `${counted(posts, 'post')} stored, ${total} in total`;

/** How many posts a monitor pass did not reach. */
export const postsNotReached = (count: number): string =>
  `About ${counted(count, 'post')} since the last job on this target could not be read: the source lists only the newest ones`;

/** How many comments of a post are missing. */
export const commentsMissing = (count: number): string =>
  `${counted(count, 'comment')} on a post could not be read: the source lists more than it shows`;

const ENDS: Record<StopReason, string> = {
  limit: 'the job reached its limit of posts',
  end_of_listing: 'the source lists nothing more',
  listing_cap: 'the source lists no older posts',
  up_to_date: 'all further posts are already stored',
};

/** Why no further posts were listed. */
export const listingEnded = (reason: StopReason): string => `The listing ended: ${ENDS[reason]}`;
