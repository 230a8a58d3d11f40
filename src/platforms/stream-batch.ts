/** A new post or comment as a stream shows it: the fields that queries compare. Votes and numbers of comments are not known. */
export interface StreamText {
  id: string;
  isComment: boolean;
  /** When the stream brought it. */
  at: Date;
  forum: string;
  /** Empty for a comment. */
  title: string;
  text: string;
  author: string;
  createdUtc: Date;
  flair: string;
  /** What the writer states. */
  languages: readonly string[];
  /** Whether the stream brought it before, with other words. */
  isEdited?: boolean;
  /** The whole `PlatformPost` where the stream shows it: then it is stored without another request. */
  post?: object;
}

/** The beginning of a topic whose posts a query chooses: what follows is in the language of `q`. */
export const SEARCH_TOPIC = 'search/';

/** A time of which a stream no longer holds the events. */
export interface StreamGap {
  from: Date;
  to: Date;
  /** A sentence. */
  reason: string;
}

/** Some events of a stream. Storing them twice must have no further effect, because reading may begin before `position`. */
export interface StreamBatch {
  /** Where to go on when the batch is stored; null while that is not known. */
  position: string | null;
  /** When the newest event so far happened; null before the first one. */
  newestAt: Date | null;
  /** What the stream no longer holds between the position and its first event; absent when nothing is missing. */
  gap?: StreamGap;
  /** When the reading of texts with a whole `post` began, or when their source gave them; absent without such texts. */
  readAt?: Date;
  /** New posts and comments, in the order of the stream. */
  texts: readonly StreamText[];
  /** New posts with their topics, in the order of the stream. */
  posts: readonly { id: string; topics: readonly string[] }[];
  /** Ids of posts and comments that are gone. */
  gone: readonly string[];
  /** Beginnings of the ids of what accounts wrote that are gone. */
  goneAccounts: readonly string[];
}
