import { type Bucket, formatBucket } from '../format.ts';

/** Texts of unusual days in charts. */
export const spikesTexts = {
  count: (count: string, expected: string) => `${count} instead of about ${expected}`,
  /** The time of a bucket; a week begins on the day. */
  at: (start: string, bucket: Bucket) =>
    `${bucket === 'week' ? 'week of ' : ''}${formatBucket(new Date(start), bucket)}`,
};
