/** Fields of a post that a platform may not tell, by their names in the interface. */
export const UNKNOWN_FIELDS = [
  'score',
  'upvote_ratio',
  'num_comments',
  'total_awards',
  'flair',
  'is_nsfw',
  'is_spoiler',
] as const;
export type UnknownField = (typeof UNKNOWN_FIELDS)[number];
