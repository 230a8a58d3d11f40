import { imagesIn } from '../forum/images.js';
import { plainText } from '../http/plain-text.js';
import {
  asArray,
  asCount,
  asId,
  asNumber,
  asObject,
  asObjects,
  asText,
  asTime,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  visibleName,
  visibleText,
  storableUrl,
} from '../http/response-parsing.js';
import { beginningOf, decodedName } from '../../common/strings.js';
import { siteId } from '../../common/site-names.js';
import { authorNamed, fileFields, filesAt, flairOf, PLAIN_POST } from '../post-fields.js';
import { DELETED, type PlatformPost } from '../platform.js';
import type { SiteClient } from '../sites/site-client.js';

/** Prefix of the ids of topics and posts. */
export const DISCOURSE_PREFIX = 'dc_';
/** Posts that a request asks for by their ids. */
export const POSTS_PER_REQUEST = 300;
/** `post_type` of texts by members and by moderators; others record changes of a topic. */
const TEXT_TYPES = new Set([1, 2]);
/** `id` of likes in the summary of a post's actions. */
const LIKE = 2;

/** A site, the path below which it lies, and the address at which it is read. */
export type DiscourseSite = Pick<SiteClient, 'site' | 'path' | 'baseUrl'>;

/** A post of a topic. */
export interface DiscoursePost {
  id: number;
  /** Number within the topic, from 1; numbers have gaps. */
  number: number;
  /** Number of the post that this one replies to; null for a reply to the topic. */
  replyTo: number | null;
  isText: boolean;
  /** Whether its author deleted it; a sentence then stands in place of its text. */
  isDeleted: boolean;
  /** Whether members' flags hid it; a sentence then stands in place of its text. */
  isHidden: boolean;
  author: string;
  userId: number | null;
  html: string;
  likes: number;
  createdUtc: Date;
}

/** A topic with its first posts. */
export interface DiscourseTopic {
  id: number;
  title: string;
  slug: string;
  categoryId: number | null;
  tags: string[];
  link: string | null;
  createdUtc: Date;
  /** As the site counts them: with notes on changes of the topic, sometimes out of date. */
  postsCount: number;
  /** In the order of their numbers. */
  posts: DiscoursePost[];
  /** Ids of further posts; null for topics so long that the site lists no ids. */
  rest: number[] | null;
}

/** A slug without the percent encoding in which some forums keep theirs; null without one. */
export function slugIn(value: unknown): string | null {
  const slug = asText(value);
  return slug && decodedName(slug);
}

/** Reads a topic as listings show it, without posts; null when id, title or creation time is missing. */
export function readTopicSummary(value: unknown): DiscourseTopic | null {
  const topic = asObject(value);
  const id = asId(topic?.id);
  const createdUtc = asTime(topic?.created_at);
  if (topic === null || id === null || createdUtc === null || typeof topic.title !== 'string') return null;
  return {
    id,
    title: visibleText(topic.title, MAX_TITLE_LENGTH),
    slug: slugIn(topic.slug) ?? 'topic',
    categoryId: asId(topic.category_id),
    tags: asArray(topic.tags).flatMap((tag) => visibleName(asObject(tag)?.name ?? tag) || []),
    link: storableUrl(topic.featured_link),
    createdUtc,
    postsCount: asCount(topic.posts_count),
    posts: [],
    rest: [],
  };
}

/** Reads a topic with its first posts and the ids of the others; null for an unexpected shape. */
export function readTopic(json: unknown): DiscourseTopic | null {
  const stream = asObject(asObject(json)?.post_stream);
  const isMega = asObject(json)?.isMegaTopic === true || stream?.isMegaTopic === true;
  const topic = readTopicSummary(json);
  const posts = readPosts(json);
  if (topic === null || stream === null || posts === null) return null;
  if (isMega || !Array.isArray(stream.stream)) return { ...topic, posts, rest: null };
  const shown = new Set(posts.map(({ id }) => id));
  return {
    ...topic,
    posts,
    rest: stream.stream.flatMap((id) => asId(id) ?? []).filter((id) => !shown.has(id)),
  };
}

/** Reads the posts of a response in the order of their numbers; null for an unexpected shape. */
export function readPosts(json: unknown): DiscoursePost[] | null {
  const posts = asObject(asObject(json)?.post_stream)?.posts;
  return Array.isArray(posts)
    ? posts.flatMap((post) => readPost(post) ?? []).sort((a, b) => a.number - b.number)
    : null;
}

/** Reads a post; null when id, number or creation time is missing. */
export function readPost(value: unknown): DiscoursePost | null {
  const post = asObject(value);
  const id = asId(post?.id);
  const number = asId(post?.post_number);
  const createdUtc = asTime(post?.created_at);
  if (post === null || id === null || number === null || createdUtc === null) return null;
  const likes = asObjects(post.actions_summary).find((action) => action.id === LIKE);
  return {
    id,
    number,
    replyTo: asId(post.reply_to_post_number),
    isText: TEXT_TYPES.has(asNumber(post.post_type) ?? 1),
    isDeleted: post.user_deleted === true,
    isHidden: post.hidden === true || post.cooked_hidden === true,
    author: authorNamed(post.username),
    userId: asNumber(post.user_id),
    html: beginningOf(asText(post.cooked) ?? '', 2 * MAX_BODY_LENGTH),
    likes: asCount(likes?.count),
    createdUtc,
  };
}

/** Whether a site shows the text of a post, and not a sentence in its place. */
export const isShown = ({ isDeleted, isHidden }: DiscoursePost): boolean => !isDeleted && !isHidden;

/** The plain text of a post. */
export function textOf(post: DiscoursePost): string {
  return isShown(post) ? plainText(post.html, MAX_BODY_LENGTH) : DELETED;
}

/** A topic as a post of the service; without its first post, it has no text. */
export function mapTopic(on: DiscourseSite, forum: string, topic: DiscourseTopic): PlatformPost {
  const [first] = topic.posts;
  const post: PlatformPost = {
    ...PLAIN_POST,
    id: siteId(DISCOURSE_PREFIX, on.site, topic.id),
    forum,
    title: topic.title,
    author: DELETED,
    createdUtc: topic.createdUtc,
    permalink: `${on.path}/t/${encodeURIComponent(topic.slug)}/${topic.id}`,
    url: topic.link,
    score: 0,
    numComments: Math.max(0, topic.postsCount - 1),
    postType: topic.link === null ? 'self' : 'link',
    flair: flairOf(topic.tags),
  };
  return first?.number === 1 ? withOpening(on, post, first) : post;
}

/** A topic with the text of its first post. */
export function withOpening(
  { baseUrl }: Pick<DiscourseSite, 'baseUrl'>,
  post: PlatformPost,
  opening: DiscoursePost,
): PlatformPost {
  const { author, likes, html } = opening;
  const images = isShown(opening) ? imagesIn(html, `${baseUrl}/`) : [];
  return {
    ...post,
    author,
    score: likes,
    selftext: textOf(opening),
    ...fileFields(filesAt('image', images)),
  };
}
