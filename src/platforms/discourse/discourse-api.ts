import { asObject } from '../http/response-parsing.js';
import type { SiteClient } from '../http/site-client.js';
import { type Attempt, unreadable } from '../http/with-retry.js';
import type { PlatformSession } from '../platform.js';
import { type DiscoursePost, type DiscourseTopic, readPost, readPosts, readTopic } from './discourse-wire.js';

/** A topic with its first posts; null when it is not there, or not for visitors. */
export function fetchTopic(
  client: SiteClient,
  number: string,
  session: PlatformSession,
): Promise<DiscourseTopic | null> {
  return client.fetch<DiscourseTopic | null>(
    {
      what: `the topic ${number}`,
      path: `/t/${number}.json`,
      read: (json) => expected(readTopic(json)),
      refused: (status, body) => (body?.error_type === 'not_logged_in' ? null : missing(status, null)),
    },
    session,
  );
}

/** Posts of a topic; those that are not there are left out. */
export function fetchTopicPosts(
  client: SiteClient,
  topic: string,
  params: [string, string][],
  session: PlatformSession,
): Promise<DiscoursePost[]> {
  return client.fetch<DiscoursePost[]>(
    {
      what: `posts of the topic ${topic}`,
      path: `/t/${topic}/posts.json`,
      params,
      isUrgent: true,
      read: (json) => expected(readPosts(json)),
      refused: (status) => missing<DiscoursePost[]>(status, []),
    },
    session,
  );
}

/** A post of any topic; null when it is not there, or not for visitors. */
export function fetchPost(
  client: SiteClient,
  number: string,
  session: PlatformSession,
): Promise<DiscoursePost | null> {
  return client.fetch<DiscoursePost | null>(
    {
      what: `the post ${number}`,
      path: `/posts/${number}.json`,
      read: (json) => expected(readPost(json)),
      refused: (status) => missing(status, null),
    },
    session,
  );
}

/** Whether a site answers visitors at all. */
export function isOpen(client: SiteClient, session: PlatformSession): Promise<boolean> {
  return client.fetch<boolean>(
    {
      what: 'the site',
      path: '/site/basic-info.json',
      read: (json) => {
        const info = asObject(json);
        return expected(info === null ? null : info.login_required !== true);
      },
      refused: () => ({ done: true, value: false }),
    },
    session,
  );
}

function expected<T>(value: T | null): Attempt<T> {
  return value === null ? unreadable('unexpected content') : { done: true, value };
}

/** Sites answer alike for what is unknown, private or deleted. */
function missing<T>(status: number, value: T): Attempt<T> | null {
  return status === 403 || status === 404 || status === 410 ? { done: true, value } : null;
}
