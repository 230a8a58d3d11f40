import { siteId } from '../../common/site-names.js';
import { plainText } from '../http/plain-text.js';
import {
  asCount,
  asKey,
  asObject,
  asObjects,
  asText,
  asTexts,
  asTime,
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  storableUrl,
  visibleName,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import type { PlatformPost } from '../platform.js';
import { authorNamed, filesAt, flairOf, linkFields } from '../post-fields.js';
import { type ShortPost, shortPost } from '../short-posts.js';

/** Prefix of the ids of statuses. */
export const MASTODON_PREFIX = 'md_';
const ID = /^[A-Za-z0-9]{1,64}$/;
/** Kinds of attachments that can be downloaded; `unknown` is for files that the instance does not keep. */
const MEDIA_KINDS: Readonly<Record<string, 'image' | 'video'>> = {
  image: 'image',
  unknown: 'image',
  video: 'video',
  gifv: 'video',
};

/** A status, as an instance shows it; its id is the instance's, its author has a home if that is another instance. */
export interface MastodonStatus extends ShortPost {
  isBoost: boolean;
  /** Id of the status that this one replies to; null for other statuses, and if that one is not known. */
  replyTo: string | null;
  wire: WireObject;
}

/** The id of a status or account, which some software sends as a number; null for a value that can be none. */
export function idIn(value: unknown): string | null {
  const id = asKey(value);
  return id !== null && ID.test(id) ? id : null;
}

/** Reads the statuses of a response; those without an id or time are left out. */
export function readStatuses(values: readonly unknown[]): MastodonStatus[] {
  return values.flatMap((value) => readStatus(value) ?? []);
}

/** Reads a status; null when its id or creation time is missing. */
export function readStatus(value: unknown): MastodonStatus | null {
  const wire = asObject(value);
  const id = idIn(wire?.id);
  const createdUtc = asTime(wire?.created_at);
  if (wire === null || id === null || createdUtc === null) return null;
  const account = asObject(wire.account);
  return {
    id,
    createdUtc,
    isBoost: asObject(wire.reblog) !== null,
    replyTo: idIn(wire.in_reply_to_id),
    isReply: idIn(wire.in_reply_to_id) !== null || idIn(wire.in_reply_to_account_id) !== null,
    replies: asCount(wire.replies_count),
    likes: asCount(wire.favourites_count),
    author: authorNamed(account?.acct),
    isUnindexed: isUnindexed(account),
    text: textOf(wire),
    languages: asTexts([wire.language]),
    wire,
  };
}

/** Whether an account asks not to be indexed; some software sends its flags as texts or numbers. */
export function isUnindexed(account: WireObject | null): boolean {
  return /^(?:false|0)$/.test(String(account?.indexable)) || /^(?:true|1)$/.test(String(account?.noindex));
}

/** A status as a post. */
export function mapStatus(site: string, status: MastodonStatus): PlatformPost {
  const { id, author, wire } = status;
  const warning = visibleText(wire.spoiler_text, MAX_NAME_LENGTH);
  const post = shortPost({ ...status, id: siteId(MASTODON_PREFIX, site, id) }, 'Status');
  const files = asObjects(wire.media_attachments).flatMap(({ type, url, remote_url: remote }) => {
    const kind = MEDIA_KINDS[asText(type) ?? ''];
    return kind === undefined ? [] : filesAt(kind, [url, remote]).slice(0, 1);
  });
  const tags = asTexts(asObjects(wire.tags).map(({ name }) => visibleName(name)));
  return {
    ...post,
    forum: `mastodon:${site}`,
    title: warning || post.title,
    permalink: `/@${author}/${id}`,
    ...linkFields(storableUrl(asObject(wire.card)?.url), files),
    isNsfw: wire.sensitive === true,
    isSpoiler: warning !== '',
    flair: flairOf(tags.map((tag) => `#${tag}`)),
  };
}

/** The text with the choices of a poll. */
function textOf(wire: WireObject): string {
  const options = asTexts(asObjects(asObject(wire.poll)?.options).map(({ title }) => title));
  const content = plainText(wire.content, MAX_BODY_LENGTH);
  const choices = options.map((option) => `- ${visibleText(option, MAX_NAME_LENGTH)}`).join('\n');
  return [content, choices].filter((part) => part !== '').join('\n\n');
}
