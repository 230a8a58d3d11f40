import type { NewEvent } from '../events/outbox.repository.js';
import type { NewMatch } from './alert-matches.repository.js';
import type { AlertSummaryDto } from './dto/alert.dto.js';

/** Maximum number of posts in an event; `matched_posts_total` counts all of them. */
const MAX_POSTS_SENT = 100;
/** Maximum number of characters of a body in an event; the post itself has the rest. */
const MAX_BODY_SENT = 1_000;

/** The fields of a post that matching reads and that an event contains. */
export interface AlertablePost {
  /** Platform id, `t3_…` or `hn_…`. */
  id: string;
  forum: string;
  title: string;
  author: string;
  createdUtc: Date;
  /** Path on the platform. */
  permalink: string;
  url: string | null;
  score: number;
  numComments: number;
  selftext: string;
}

/** A matched post in an event. */
export interface MatchedPost extends Omit<AlertablePost, 'createdUtc' | 'numComments'> {
  created_utc: string;
  num_comments: number;
  /** The alert's keywords that were found in it. */
  matched_keywords: string[];
}

/** `data` of `alert.triggered`: the alert without its channel's configuration, and what it matched. */
export interface AlertTriggeredData extends AlertSummaryDto {
  matched_posts: MatchedPost[];
  matched_posts_total: number;
}

/** The event for one alert's new matches in one batch, in the batch's order of posts. */
export function triggering(
  jobId: string,
  alert: AlertSummaryDto,
  alertId: string,
  matches: readonly NewMatch[],
  posts: readonly AlertablePost[],
): NewEvent & { data: AlertTriggeredData } {
  const keywordsOf = new Map(matches.map(({ postId, keywords }) => [postId, keywords]));
  const matched = posts.filter(({ id }) => keywordsOf.has(id));
  return {
    type: 'alert.triggered',
    // A post matches an alert at most once, so no other batch has the same first post.
    uniqueKey: `alert:${alertId}:job:${jobId}:first:${matched[0]!.id}`,
    subjectKind: 'alert',
    subjectId: alertId,
    data: {
      ...alert,
      matched_posts: matched
        .slice(0, MAX_POSTS_SENT)
        .map((post) => toMatchedPost(post, keywordsOf.get(post.id)!)),
      matched_posts_total: matched.length,
    },
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
  return {
    ...alert,
    matched_posts: [toMatchedPost(post, alert.keywords.slice(0, 1))],
    matched_posts_total: 1,
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
    selftext: [...post.selftext.slice(0, 2 * MAX_BODY_SENT)].slice(0, MAX_BODY_SENT).join(''),
    matched_keywords: keywords,
  };
}
