import { siteId } from '../../common/site-names.js';
import { titleOf } from '../http/first-line.js';
import { plainText } from '../http/plain-text.js';
import {
  asArray,
  asInteger,
  asObject,
  asText,
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  storableUrl,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { PLAIN_POST } from '../plain-post.js';
import { DELETED, type PlatformMedia, type PlatformPost } from '../platform.js';

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

/** A status, as an instance shows it. */
export interface MastodonStatus {
  id: string;
  createdUtc: Date;
  isBoost: boolean;
  /** Id of the status that this one replies to; null for other statuses, and if that one is not known. */
  replyTo: string | null;
  /** Whether it replies to a status, known or not. */
  isReply: boolean;
  replies: number;
  likes: number;
  /** The account's name, with its home for accounts of other instances. */
  author: string;
  /** Whether the account asks not to be indexed. */
  isUnindexed: boolean;
  text: string;
  /** What the writer states. */
  languages: string[];
  wire: WireObject;
}

/** Whether a value can be the id of a status. */
export function isStatusId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** Reads the statuses of a response; those without an id or time are left out. */
export function readStatuses(values: readonly unknown[]): MastodonStatus[] {
  return values.flatMap((value) => readStatus(value) ?? []);
}

/** Reads a status; null when its id or creation time is missing. */
export function readStatus(value: unknown): MastodonStatus | null {
  const wire = asObject(value);
  const id = wire?.id;
  const time = Date.parse(asText(wire?.created_at) ?? '');
  if (wire === null || !isStatusId(id) || Number.isNaN(time)) return null;
  const account = asObject(wire.account);
  return {
    id,
    createdUtc: new Date(time),
    isBoost: asObject(wire.reblog) !== null,
    replyTo: asText(wire.in_reply_to_id),
    isReply: asText(wire.in_reply_to_id) !== null || asText(wire.in_reply_to_account_id) !== null,
    replies: Math.max(0, asInteger(wire.replies_count) ?? 0),
    likes: Math.max(0, asInteger(wire.favourites_count) ?? 0),
    author: visibleText(account?.acct, MAX_NAME_LENGTH) || DELETED,
    isUnindexed: isUnindexed(account),
    text: textOf(wire),
    languages: [asText(wire.language) ?? []].flat(),
    wire,
  };
}

/** Whether an account asks not to be indexed. */
export function isUnindexed(account: WireObject | null): boolean {
  return account?.indexable === false || account?.noindex === true;
}

/** A status as a post. A reply has no comments of its own: what answers it belongs to the thread that it is in. */
export function mapStatus(site: string, status: MastodonStatus): PlatformPost {
  const { wire, text } = status;
  const warning = visibleText(wire.spoiler_text, MAX_NAME_LENGTH);
  const media = mediaOf(wire);
  const url = storableUrl(asObject(wire.card)?.url);
  return {
    ...PLAIN_POST,
    id: siteId(MASTODON_PREFIX, site, status.id),
    forum: `mastodon:${site}`,
    title: warning || titleOf(text) || `Status of ${status.author}`,
    author: status.author,
    createdUtc: status.createdUtc,
    permalink: `/@${status.author}/${status.id}`,
    url,
    score: status.likes,
    numComments: status.isReply ? 0 : status.replies,
    selftext: text,
    postType:
      media[0]?.kind === 'video' ? 'video' : media.length > 0 ? 'image' : url === null ? 'self' : 'link',
    isNsfw: wire.sensitive === true,
    isSpoiler: warning !== '',
    flair: visibleText(tagsOf(wire).join(', '), MAX_NAME_LENGTH),
    hasMedia: media.length > 0,
    mediaUrls: media.map((one) => one.url),
    media,
    languages: status.languages,
  };
}

/** The text with the choices of a poll. */
function textOf(wire: WireObject): string {
  const options = asArray(asObject(wire.poll)?.options).flatMap(
    (option) => asText(asObject(option)?.title) ?? [],
  );
  const content = plainText(wire.content, MAX_BODY_LENGTH);
  const choices = options.map((option) => `- ${visibleText(option, MAX_NAME_LENGTH)}`).join('\n');
  return [content, choices].filter((part) => part !== '').join('\n\n');
}

function tagsOf(wire: WireObject): string[] {
  return asArray(wire.tags).flatMap((tag) => {
    const name = visibleText(asObject(tag)?.name, MAX_NAME_LENGTH);
    return name === '' ? [] : `#${name}`;
  });
}

function mediaOf(wire: WireObject): PlatformMedia[] {
  return asArray(wire.media_attachments).flatMap((value) => {
    const attachment = asObject(value);
    const kind = MEDIA_KINDS[asText(attachment?.type) ?? ''];
    const url = storableUrl(attachment?.url) ?? storableUrl(attachment?.remote_url);
    return kind === undefined || url === null ? [] : { kind, url, audioUrl: null };
  });
}
