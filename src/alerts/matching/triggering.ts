import type { NewEvent } from '../../messages/outbox/outbox.repository.js';
import type { SentimentLabel } from '../../enrichment/enrichment.js';
import type { NewMatch, ReleasedMatch } from './alert-matches.repository.js';
import type { AlertSummaryDto } from '../alert/alert.dto.js';
import type { AlertSpike } from '../alert/spike-settings.js';
import type { StoryDto } from '../../content/stories/story.dto.js';
import { commentIdOf, keyOfComment } from '../../content/comments/comment-keys.js';
import type { MatchableComment, MatchablePost } from './alertable-record.js';

/** Maximum number of posts, and of comments, in an event; the totals count all of them. */
export const MAX_RECORDS_SENT = 100;
/** Maximum number of characters of a body in an event; the record itself has the rest. */
const MAX_BODY_SENT = 1_000;

const NO_REPOSTS: Reposts = { folded: new Set(), counts: new Map() };

/** The fields of a post that matching reads and that an event contains. */
export interface AlertablePost extends MatchablePost {
  /** Platform id, `t3_…` or `hn_…`. */
  id: string;
  /** Path on the platform. */
  permalink: string;
  url: string | null;
  score: number;
  numComments: number;
}

/** The fields of a comment that matching reads and that an event contains. */
export interface AlertableComment extends MatchableComment {
  /** Platform id, `t1_…` or `hn_…`. */
  commentId: string;
  postId: string;
  postPermalink: string;
  score: number;
}

/** Posts and comments that a batch stored for the first time. */
export interface AlertableBatch {
  posts: readonly AlertablePost[];
  comments: readonly AlertableComment[];
}

/** A matched post in an event. */
export interface MatchedPost {
  id: string;
  forum: string;
  title: string;
  author: string;
  created_utc: string;
  permalink: string;
  url: string | null;
  score: number;
  num_comments: number;
  selftext: string;
  /** The alert's keywords that were found in it; none for a match of the query. */
  matched_keywords: string[];
  sentiment_label?: SentimentLabel;
  /** Number of reposts that are folded into it. */
  duplicates?: number;
  /** Of a repost that is folded into an earlier match; the channel is not notified of it. */
  is_duplicate?: true;
  /** Of the records that channels show: as in lists with `highlight`, by the matching words. */
  highlights?: { title?: string; selftext?: string };
}

/** A matched comment in an event. */
export interface MatchedComment {
  comment_id: string;
  post_id: string;
  post_permalink: string;
  forum: string;
  author: string;
  created_utc: string;
  score: number;
  body: string;
  /** The alert's keywords that were found in it; none for a match of the query. */
  matched_keywords: string[];
  sentiment_label?: SentimentLabel;
  /** Number of reposts that are folded into it. */
  duplicates?: number;
  /** Of a repost that is folded into an earlier match; the channel is not notified of it. */
  is_duplicate?: true;
  /** Of the records that channels show: as in lists with `highlight`, by the matching words. */
  highlights?: { body?: string };
}

/** Reposts among the matches of an alert, by ids as {@link NewMatch} names records. */
export interface Reposts {
  /** Those folded into earlier matches. */
  folded: ReadonlySet<string>;
  /** How many are folded into a match. */
  counts: ReadonlyMap<string, number>;
}

/** `data` of `alert.triggered`: the alert without its channel's configuration, and its matches. */
export interface AlertTriggeredData extends AlertSummaryDto {
  posts: MatchedPost[];
  comments: MatchedComment[];
  /** The same as `posts`. */
  matched_posts: MatchedPost[];
  matched_posts_total: number;
  matched_comments_total: number;
  /** Set for an alert on spikes, which carries no posts and comments; null after its content was erased. */
  spike?: AlertSpike | null;
  /** Set for an alert on stories, which carries the most telling posts and comments; null after content of it was erased. */
  story?: StoryDto | null;
}

/** The event for one alert's new matches in one batch, in the batch's order of posts and comments. */
export function triggering(
  jobId: string,
  alert: AlertSummaryDto,
  alertId: string,
  matches: readonly NewMatch[],
  { posts, comments }: AlertableBatch,
  { folded, counts }: Reposts = NO_REPOSTS,
): NewEvent & { data: AlertTriggeredData } {
  const repostsOf = (id: string) => ({
    ...(counts.has(id) && { duplicates: counts.get(id)! }),
    ...(folded.has(id) && { is_duplicate: true as const }),
  });
  const keywordsOf = new Map(matches.map(({ postId, keywords }) => [postId, keywords]));
  const matchedPosts = posts.filter(({ id }) => keywordsOf.has(id));
  const matchedComments = comments.filter(({ commentId }) => keywordsOf.has(keyOfComment(commentId)));
  const first = matchedPosts[0]?.id ?? keyOfComment(matchedComments[0]!.commentId);
  const shownPosts = matchedPosts
    .slice(0, MAX_RECORDS_SENT)
    .map((post) => ({ ...toMatchedPost(post, keywordsOf.get(post.id)!), ...repostsOf(post.id) }));
  return {
    type: 'alert.triggered',
    // A record matches an alert at most once, so no other batch has the same first record.
    uniqueKey: `alert:${alertId}:job:${jobId}:first:${first}`,
    subjectId: alertId,
    data: {
      ...alert,
      posts: shownPosts,
      comments: matchedComments.slice(0, MAX_RECORDS_SENT).map((comment) => ({
        ...toMatchedComment(comment, keywordsOf.get(keyOfComment(comment.commentId))!),
        ...repostsOf(keyOfComment(comment.commentId)),
      })),
      matched_posts: shownPosts,
      matched_posts_total: matchedPosts.length,
      matched_comments_total: matchedComments.length,
    },
  };
}

/** A spike or story that triggers an alert, and the posts and comments that the event carries. */
export interface AlertFinding extends Partial<AlertableBatch> {
  /** Of the spike or story: it never triggers the alert twice. */
  key: string;
  shown: { spike: AlertSpike } | { story: StoryDto };
}

/** The event of a spike or story. */
export function findingEvent(
  alert: AlertSummaryDto,
  alertId: string,
  { key, shown, posts = [], comments = [] }: AlertFinding,
): NewEvent {
  const matchedPosts = posts.map((post) => toMatchedPost(post, []));
  const data: AlertTriggeredData = {
    ...alert,
    posts: matchedPosts,
    comments: comments.map((comment) => toMatchedComment(comment, [])),
    matched_posts: matchedPosts,
    matched_posts_total: posts.length,
    matched_comments_total: comments.length,
    ...shown,
  };
  return { type: 'alert.triggered', uniqueKey: `alert:${alertId}:${key}`, subjectId: alertId, data };
}

/** The event by which the alert's channel gets a spike or story later than webhooks. */
export const heldFindingEvent = (event: NewEvent, notBefore: Date): NewEvent => ({
  ...event,
  type: 'alert.digest',
  uniqueKey: `${event.uniqueKey}:held`,
  notBefore,
});

/**
 * The event of a digest, which only the alert's channel receives: all `matches` are counted, and the posts and comments
 * of `batch`, in the order shown, are those of them that it carries.
 */
export function digestEvent(
  alert: AlertSummaryDto,
  alertId: string,
  dueAt: Date,
  matches: readonly ReleasedMatch[],
  batch: AlertableBatch,
): NewEvent & { data: AlertTriggeredData } {
  const counts = new Map(
    matches.filter(({ duplicates }) => duplicates > 0).map(({ postId, duplicates }) => [postId, duplicates]),
  );
  const reposts = { ...NO_REPOSTS, counts };
  const { data, subjectId } = triggering('', alert, alertId, matches, batch, reposts);
  const comments = matches.filter(({ postId }) => commentIdOf(postId) !== null).length;
  return {
    type: 'alert.digest',
    uniqueKey: `alert:${alertId}:digest:${dueAt.toISOString()}`,
    subjectId,
    data: { ...data, matched_posts_total: matches.length - comments, matched_comments_total: comments },
  };
}

/** `data` of `alert.test`: an alert with one invented post that matches its first keyword. */
export function testTriggering(alert: AlertSummaryDto): AlertTriggeredData {
  const post: AlertablePost = {
    id: 't3_test',
    forum: alert.forums[0] ?? 'test',
    title: 'This is a test of your alert',
    author: 'test',
    createdUtc: alert.created_at,
    permalink: '/',
    url: null,
    score: 0,
    numComments: 0,
    selftext: 'Notifications of this alert look like this one. No post matched.',
  };
  const posts = [toMatchedPost(post, alert.keywords.slice(0, 1))];
  return {
    ...alert,
    posts,
    comments: [],
    matched_posts: posts,
    matched_posts_total: 1,
    matched_comments_total: 0,
  };
}

function toMatchedPost(post: AlertablePost, keywords: string[]): MatchedPost {
  return {
    id: post.id,
    forum: post.forum,
    title: post.title,
    author: post.author,
    created_utc: post.createdUtc.toISOString(),
    permalink: post.permalink,
    url: post.url,
    score: post.score,
    num_comments: post.numComments,
    selftext: cut(post.selftext),
    matched_keywords: keywords,
    ...(post.sentimentLabel !== undefined && { sentiment_label: post.sentimentLabel }),
  };
}

function toMatchedComment(comment: AlertableComment, keywords: string[]): MatchedComment {
  return {
    comment_id: comment.commentId,
    post_id: comment.postId,
    post_permalink: comment.postPermalink,
    forum: comment.forum,
    author: comment.author,
    created_utc: comment.createdUtc.toISOString(),
    score: comment.score,
    body: cut(comment.body),
    matched_keywords: keywords,
    ...(comment.sentimentLabel !== undefined && { sentiment_label: comment.sentimentLabel }),
  };
}

/** The beginning of a body, without half characters. */
const cut = (body: string): string => [...body.slice(0, 2 * MAX_BODY_SENT)].slice(0, MAX_BODY_SENT).join('');
