import { createHash } from 'node:crypto';
import { siteId } from '../../common/site-names.js';
import { titleOf } from '../http/first-line.js';
import type { PlatformComment, PlatformPost, TreePost } from '../platform.js';
import { PLAIN_POST, threadFields } from '../post-fields.js';
import type { MailMessage } from './mail-message.js';
import type { MailThread } from './mail-threads.js';

/** Prefix of the ids of messages. */
export const MAIL_PREFIX = 'ml_';
/** Hexadecimal digits of the hash in an id. */
const HASH_LENGTH = 32;

/** What stands for a message within ids, by its `Message-ID`. */
export function mailHash(messageId: string): string {
  return createHash('sha256').update(messageId).digest('hex').slice(0, HASH_LENGTH);
}

/** The id of a message on a site, by its `Message-ID`. */
export function mailId(site: string, messageId: string): string {
  return siteId(MAIL_PREFIX, site, mailHash(messageId));
}

/** Where the messages of an archive belong. */
export interface MailPlace {
  site: string;
  /** `mail:ADDRESS`. */
  forum: string;
  /** The path of a message on the site. */
  permalinkOf: (message: Pick<MailMessage, 'id' | 'time'>) => string;
}

/** The message that begins a thread, as a post; `replies` counts those below it. */
export function postOf(root: MailMessage, replies: number, place: MailPlace): PlatformPost {
  return {
    ...PLAIN_POST,
    id: mailId(place.site, root.id),
    forum: place.forum,
    title: root.subject || titleOf(root.text) || '(no subject)',
    author: root.author,
    createdUtc: timeOf(root),
    permalink: place.permalinkOf(root),
    score: 0,
    numComments: replies,
    selftext: root.text,
  };
}

/** A message below the one that begins a thread, as a comment; `parentId` is the id of what it hangs on. */
export function commentOf(
  message: MailMessage,
  { post, rootAuthor, site }: { post: TreePost; rootAuthor: string; site: string },
  { parentId, depth }: Pick<PlatformComment, 'parentId' | 'depth'>,
): PlatformComment {
  return {
    id: mailId(site, message.id),
    ...threadFields(post),
    parentId,
    author: message.author,
    body: message.text,
    score: 0,
    createdUtc: timeOf(message),
    depth,
    isSubmitter: message.author === rootAuthor,
  };
}

/** The messages below the one that begins a thread, as comments: parents before their replies. */
export function commentsOf(
  post: TreePost,
  { root, replies }: MailThread<MailMessage>,
  site: string,
): PlatformComment[] {
  const thread = { post, rootAuthor: root.author, site };
  return replies.map(({ message, parent, depth }) =>
    commentOf(message, thread, { parentId: mailId(site, parent), depth }),
  );
}

/** A message that nothing dates counts as sent now. */
const timeOf = ({ time }: Pick<MailMessage, 'time'>): Date => new Date(time ?? Date.now());
