import { siteId } from '../../common/site-names.js';
import { beginningOf } from '../../common/strings.js';
import type { ForumPost } from '../forum/topic-forum.js';
import {
  asArray,
  asCount,
  asId,
  asKey,
  asNumber,
  asObject,
  asObjects,
  asText,
  asTime,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  visibleName,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { authorNamed, flairOf, PLAIN_POST } from '../post-fields.js';
import { DELETED } from '../platform.js';
import type { SiteClient } from '../sites/site-client.js';
import { type ForumTopic, openedBy } from '../forum/topic-forum.js';

/** Prefix of the ids of discussions and posts. */
export const FLARUM_PREFIX = 'fl_';

/** A document of JSON:API: its resources, and those that they refer to. */
export class FlarumDocument {
  private readonly included: ReadonlyMap<string, WireObject>;

  private constructor(
    readonly data: readonly unknown[],
    included: readonly WireObject[],
    /** How many resources are before the next page; null at the end. */
    readonly next: number | null,
  ) {
    this.included = new Map(included.map((one) => [`${String(one.type)} ${String(one.id)}`, one]));
  }

  /** Null for an unexpected shape. A document with one resource is a list of it. */
  static of(json: unknown, offset = 0): FlarumDocument | null {
    const body = asObject(json);
    const data = Array.isArray(body?.data) ? asArray(body.data) : asObject(body?.data) && [body?.data];
    if (body === null || data === null) return null;
    const { next: link } = asObject(body.links) ?? {};
    const next = asText(asObject(link)?.href ?? link);
    const query = next === null ? null : new URLSearchParams(next.slice(next.indexOf('?') + 1));
    const stated = asCount(query?.get('page[offset]'));
    const end = offset + data.length;
    return new FlarumDocument(
      data,
      asObjects(body.included),
      query === null ? null : stated > offset ? stated : end,
    );
  }

  /** The resources of a relationship that are included. */
  related(resource: WireObject, name: string): WireObject[] {
    const linked = asObject(asObject(resource.relationships)?.[name])?.data;
    return asObjects(Array.isArray(linked) ? linked : [linked]).flatMap(({ type, id }) => {
      const found = this.included.get(`${String(type)} ${String(id)}`);
      return found === undefined ? [] : [found];
    });
  }

  /** Reads a discussion with its first post; null without a number, time or title. */
  readDiscussion(client: SiteClient, value: unknown): ForumTopic | null {
    const discussion = asObject(value);
    const attributes = asObject(discussion?.attributes);
    const number = asId(discussion?.id);
    const createdUtc = asTime(attributes?.createdAt);
    if (discussion === null || attributes === null || number === null || createdUtc === null) return null;
    if (typeof attributes.title !== 'string') return null;
    const tags = this.related(discussion, 'tags').map((tag) => visibleName(asObject(tag.attributes)?.name));
    const [first] = this.related(discussion, 'firstPost');
    const opening = first === undefined ? null : this.readPost(first, true);
    const { author, userId } = this.authorOf(discussion);
    const post = {
      ...PLAIN_POST,
      id: siteId(FLARUM_PREFIX, client.site, number),
      forum: `flarum:${client.site}`,
      title: visibleText(attributes.title, MAX_TITLE_LENGTH),
      author,
      createdUtc,
      permalink: `${client.path}/d/${number}`,
      score: 0,
      numComments: Math.max(0, asCount(attributes.commentCount) - 1),
      flair: flairOf(tags.filter((tag) => tag !== '')),
    };
    // The first post may refer to an account that only the discussion includes.
    return openedBy(post, opening && { ...opening, author, userId }, client);
  }

  /** Reads a post that is a text; null without a number or time. `isOpening`: whether it begins its discussion, if known. */
  readPost(value: unknown, isOpening?: boolean): ForumPost | null {
    const post = asObject(value);
    const attributes = asObject(post?.attributes);
    const number = asId(post?.id);
    const createdUtc = asTime(attributes?.createdAt);
    if (post === null || attributes === null || number === null || createdUtc === null) return null;
    return {
      key: String(number),
      replyTo: null,
      isOpening: isOpening ?? asNumber(attributes.number) === 1,
      gone: attributes.isHidden === true ? 'removed' : null,
      ...this.authorOf(post),
      html: beginningOf(asText(attributes.contentHtml) ?? '', 2 * MAX_BODY_LENGTH),
      score: asCount(attributes.likesCount),
      createdUtc,
    };
  }

  /** A deleted account is missing. */
  private authorOf(resource: WireObject): Pick<ForumPost, 'author' | 'userId'> {
    const [user] = this.related(resource, 'user');
    const attributes = asObject(user?.attributes);
    const author = authorNamed(attributes?.username ?? attributes?.displayName);
    return { author, userId: author === DELETED ? null : asKey(user?.id) };
  }
}

/** Whether a post is a text and not a note on a change of its discussion. What has no type is taken for one. */
export function isComment(value: unknown): boolean {
  return (asText(asObject(asObject(value)?.attributes)?.contentType) ?? 'comment') === 'comment';
}
