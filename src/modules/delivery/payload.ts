import { publicId } from '../../common/ids.js';
import type { AlertTriggeredData } from '../alerts/triggering.js';
import type { AlertNotification } from '../notifications/channel.js';
import type { ClaimedDelivery } from './delivery-claims.repository.js';

/** What a webhook is sent: `{ id, type, timestamp, workspace_id, data }`. The same bytes over every attempt. */
export function payloadOf({ destination, event }: Pick<ClaimedDelivery, 'destination' | 'event'>): string {
  const envelope = JSON.stringify({
    id: publicId('event', event.id),
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    workspace_id: publicId('workspace', destination.workspaceId),
  });
  // `data` is JSON as it is stored; parsing it only to write it again would be the larger part of the work.
  return `${envelope.slice(0, -1)},"data":${event.data}}`;
}

/** What a chat or a mailbox is told. */
export function notificationOf({ event }: Pick<ClaimedDelivery, 'event'>): AlertNotification {
  const data = JSON.parse(event.data) as AlertTriggeredData;
  return {
    id: publicId('event', event.id),
    alertId: data.id,
    alertName: data.name,
    keywords: [...new Set(data.matched_posts.flatMap((post) => post.matched_keywords))],
    posts: data.matched_posts,
    totalPosts: data.matched_posts_total,
  };
}
