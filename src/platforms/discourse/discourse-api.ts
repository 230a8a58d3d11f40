import { asNumber, asObject, type WireObject } from '../http/response-parsing.js';
import type { SiteClient } from '../sites/site-client.js';
import { type Attempt, readAs } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { type DiscoursePost, type DiscourseTopic, readPost, readPosts, readTopic } from './discourse-wire.js';

/** A topic with its first posts; null when it is not there, or not for visitors. */
export function fetchTopic(
  client: SiteClient,
  number: string,
  session: PlatformSession,
): Promise<DiscourseTopic | null> {
  return fetchOne(client, `the topic ${number}`, `/t/${number}.json`, readTopic, session);
}

/** A post of any topic; null when it is not there, or not for visitors. */
export function fetchPost(
  client: SiteClient,
  number: string,
  session: PlatformSession,
): Promise<DiscoursePost | null> {
  return fetchOne(client, `the post ${number}`, `/posts/${number}.json`, readPost, session);
}

/** The number of the topic to which a post belongs; null when the post is not there, or not for visitors. */
export function topicOfPost(
  client: SiteClient,
  number: string,
  session: PlatformSession,
): Promise<string | null> {
  const read = (json: unknown): string | null => asNumber(asObject(json)?.topic_id)?.toString() ?? null;
  return fetchOne(client, `the post ${number}`, `/posts/${number}.json`, read, session);
}

/** Posts of a topic; those that are not there are left out. */
export function fetchTopicPosts(
  client: SiteClient,
  topic: string,
  params: [string, string][],
  session: PlatformSession,
): Promise<DiscoursePost[]> {
  return client.read<DiscoursePost[]>(
    {
      what: `posts of the topic ${topic}`,
      path: `/t/${topic}/posts.json`,
      params,
      read: readPosts,
      refused: (status, body) => missing<DiscoursePost[]>(client, status, body, []),
    },
    session,
  );
}

function fetchOne<T>(
  client: SiteClient,
  what: string,
  path: string,
  read: (json: unknown) => T | null,
  session: PlatformSession,
): Promise<T | null> {
  return client.fetch<T | null>(
    {
      what,
      path,
      read: (json) => readAs(read(json)),
      refused: (status, body) => missing(client, status, body, null),
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
        return readAs(info === null ? null : info.login_required !== true);
      },
      refused: () => ({ done: true, value: false }),
    },
    session,
  );
}

/** Throws `target_private` for an answer of a site that is for its members. */
export function requireOpen({ site }: SiteClient, body: WireObject | null): null {
  if (body?.error_type === 'not_logged_in')
    throw new PlatformError('target_private', `${site} shows its content only to its members`);
  return null;
}

/** Sites give the same answer for unknown, private and deleted content. A refusal that is not JSON is one of the program. */
function missing<T>(
  client: SiteClient,
  status: number,
  body: WireObject | null,
  value: T,
): Attempt<T> | null {
  requireOpen(client, body);
  const isRefused = status === 403 && body !== null;
  return isRefused || status === 404 || status === 410 ? { done: true, value } : null;
}
