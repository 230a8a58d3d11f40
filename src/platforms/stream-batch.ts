/** Some events of a stream. Storing them twice must have no further effect, because reading may begin before `position`. */
export interface StreamBatch {
  /** Where to go on when the batch is stored; null while that is not known. */
  position: string | null;
  /** When the newest event so far happened; null before the first one. */
  newestAt: Date | null;
  /** When the first event happened, if the stream no longer holds those between it and the position. */
  resumedAt?: Date;
  /** New posts with their topics, in the order of the stream. */
  posts: readonly { id: string; topics: readonly string[] }[];
  /** Ids of posts and comments that are gone. */
  gone: readonly string[];
  /** Beginnings of the ids of what accounts wrote that are gone. */
  goneAccounts: readonly string[];
}
