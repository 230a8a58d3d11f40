import { publicId } from '../../common/ids.js';
import { isNotified, type NotifiedStory, notifiedStories } from '../../alerts/stories/notified-stories.js';
import type { AlertSpike } from '../../alerts/alert/spike-settings.js';
import { spikeSentence } from '../../alerts/conditions/spike-condition.js';
import { storySentence } from '../../alerts/conditions/story-condition.js';
import type { ReportContentDto } from '../../alerts/reports/report-content.dto.js';
import { reportMessage } from '../../alerts/reports/report-message.js';
import type { AlertTriggeredData } from '../../alerts/matching/triggering.js';
import type { EventPayload } from '../../messages/outbox/outbox.repository.js';
import type { AlertNotification, NotifiedPost } from '../../messages/channels/channel.js';
import type { LeasedDelivery } from '../queue/delivery-claims.repository.js';

/** The notification of an event: one entry for each story. `dashboard` is the address to which links lead. */
export function notificationOf(
  { destination, event, remaining }: LeasedDelivery & { event: EventPayload },
  message: { id: string; body: string },
  dashboard: string | undefined,
): AlertNotification {
  // This service wrote the payload when the alert was triggered or tested, or the report was made.
  const data = JSON.parse(event.data) as AlertTriggeredData;
  const ids = {
    workspaceId: destination.workspaceId,
    id: publicId('event', event.id),
    deliveryId: message.id,
  };
  const common = { ...ids, eventBody: message.body, remaining: remaining ?? null };
  if (event.subjectKind === 'report')
    return {
      ...common,
      alertId: publicId('report', event.subjectId),
      ...reportMessage(JSON.parse(event.data) as ReportContentDto, dashboard),
    };
  const { matched_posts: posts, comments, spike, story } = data;
  const notified = [...posts, ...comments].filter(isNotified);
  return {
    ...common,
    alertId: data.id,
    alertName: data.name,
    keywords: story?.keywords ?? [...new Set(notified.flatMap((one) => one.matched_keywords))],
    // The post of a test is not stored.
    ...(dashboard !== undefined && event.type !== 'alert.test' && { dashboard }),
    posts: spike?.top_posts.map(toTopPost) ?? notifiedStories({ posts, comments }).map(toNotified),
    ...(spike != null && { sentence: spikeSentence(spike) }),
    ...(story != null && { sentence: storySentence(story) }),
    totalPosts: spike?.top_posts.length ?? data.matched_posts_total - countDuplicates(posts),
    totalComments: data.matched_comments_total - countDuplicates(comments),
  };
}

function toNotified({ post, comments }: NotifiedStory): NotifiedPost {
  if (post !== null) {
    const { id, title, forum, author, permalink, selftext, num_comments: numComments } = post;
    return {
      id,
      title,
      forum,
      author,
      permalink,
      selftext,
      numComments,
      ...detailsOf(post, comments.length),
    };
  }
  const [best, ...more] = comments;
  const { post_id: id, post_permalink: permalink, forum, author, body, highlights } = best!;
  return {
    id,
    commentId: best!.comment_id,
    title: `Comment by ${author}`,
    forum,
    author,
    permalink,
    selftext: body,
    ...detailsOf(
      { ...best!, highlights: highlights?.body === undefined ? undefined : { selftext: highlights.body } },
      more.length,
    ),
  };
}

function detailsOf(
  {
    sentiment_label: sentiment,
    duplicates: reposts,
    highlights,
  }: {
    sentiment_label?: string;
    duplicates?: number;
    highlights?: NotifiedPost['highlights'] | undefined;
  },
  moreComments: number,
): Partial<NotifiedPost> {
  return {
    ...(sentiment !== undefined && { sentiment }),
    ...(reposts !== undefined && { reposts }),
    ...(highlights !== undefined && { highlights }),
    ...(moreComments > 0 && { moreComments }),
  };
}

const toTopPost = ({
  num_comments: numComments,
  ...post
}: AlertSpike['top_posts'][number]): NotifiedPost => ({
  ...post,
  selftext: '',
  numComments,
});

const countDuplicates = (records: readonly { is_duplicate?: true }[]): number =>
  records.filter((one) => !isNotified(one)).length;
