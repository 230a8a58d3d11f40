import type { ContentStream } from '../content-stream.js';
import {
  asDate,
  asNumber,
  asObject,
  asObjects,
  asText,
  parseObject,
  type WireObject,
} from '../http/response-parsing.js';
import { socketTexts } from '../http/socket-texts.js';
import type { Target } from '../platform.js';
import { titleOf } from '../http/first-line.js';
import { flairOf } from '../post-fields.js';
import type { StreamBatch, StreamText } from '../stream-batch.js';
import { readBlueskyTarget } from './bluesky-target.js';
import { tagsOf } from './bluesky-text.js';
import { BLUESKY_PREFIX, FORUM, postAt, readPost } from './bluesky-wire.js';

const POSTS = 'app.bsky.feed.post';
/** Events are not strictly in the order of their times, so reading begins again this much earlier. */
const REPLAYED_US = 5_000_000;
/** A first event that is later than this after the position shows that the server no longer holds those between them. */
const GAP_US = 3_600_000_000;
/** Events that claim to be further ahead of this machine's clock do not move the position. */
const MAX_AHEAD_US = GAP_US;
/** Larger events are no posts. */
const MAX_EVENT_BYTES = 262_144;
/** Why an account's content is no longer shown. Other states pass. */
const GONE: ReadonlySet<string> = new Set(['takendown', 'suspended', 'deleted', 'deactivated']);

/** Bluesky's stream of all posts, deletions and accounts. Its positions are times in microseconds. */
export class Jetstream implements ContentStream {
  constructor(
    private readonly address: string,
    private readonly userAgent: string,
  ) {}

  topicOf(target: Target): string | null {
    const read = readBlueskyTarget(target);
    if (read?.kind === 'search') return read.name;
    return read?.kind === 'tag' ? read.name.slice(1) : null;
  }

  positionAt(time: Date): string {
    return String(time.getTime() * 1_000);
  }

  async *read(position: string, signal: AbortSignal): AsyncGenerator<StreamBatch> {
    const url = new URL(this.address.replace(/^http/, 'ws'));
    if (url.pathname === '/') url.pathname = '/subscribe';
    url.searchParams.set('wantedCollections', POSTS);
    url.searchParams.set('maxMessageSizeBytes', String(MAX_EVENT_BYTES));
    url.searchParams.set('cursor', position);
    let [first, newest] = [0, 0];
    for await (const texts of socketTexts(url.href, this.userAgent, signal)) {
      const events = asObjects(texts.map(parseObject));
      const latest = Date.now() * 1_000 + MAX_AHEAD_US;
      for (const { time_us } of events) {
        const time = asNumber(time_us) ?? 0;
        if (time <= latest) newest = Math.max(newest, time);
      }
      const isGap = first === 0 && newest - Number(position) > GAP_US;
      first ||= newest;
      yield {
        ...contentOf(events),
        ...(isGap && {
          gap: {
            from: new Date(Number(position) / 1_000),
            to: new Date(newest / 1_000),
            reason: 'The stream no longer held what was written in this time',
          },
        }),
        newestAt: newest === 0 ? null : new Date(newest / 1_000),
        position: newest === 0 ? null : String(newest - REPLAYED_US),
      };
    }
  }
}

/** Replies are left out, as everywhere: they are comments of the threads that they belong to. */
function contentOf(
  events: readonly WireObject[],
): Pick<StreamBatch, 'posts' | 'texts' | 'gone' | 'goneAccounts'> {
  const posts: { id: string; topics: string[] }[] = [];
  const texts: StreamText[] = [];
  const [gone, goneAccounts]: [string[], string[]] = [[], []];
  for (const { kind, did, time_us, ...event } of events) {
    const [account, commit] = [asObject(event.account), asObject(event.commit)];
    if (kind === 'account' && account?.active === false && GONE.has(asText(account.status) ?? ''))
      goneAccounts.push(`${BLUESKY_PREFIX}${asText(did) ?? ''}_`);
    if (kind !== 'commit' || commit?.collection !== POSTS) continue;
    const post = postAt(`at://${asText(did) ?? ''}/${POSTS}/${asText(commit.rkey) ?? ''}`);
    if (post === null) continue;
    if (commit.operation === 'delete') gone.push(post.id);
    const record = asObject(commit.record);
    const text =
      record === null ? null : textAt(asText(did) ?? '', asText(commit.rkey) ?? '', record, time_us);
    if (text !== null) texts.push({ ...text, ...(commit.operation === 'update' && { isEdited: true }) });
    const topics = record === null || asObject(record.reply) !== null ? [] : tagsOf(record);
    if (topics.length > 0) posts.push({ id: post.id, topics: topics.map((tag) => tag.toLowerCase()) });
  }
  return { posts, texts, gone, goneAccounts };
}

/** A record as lists show it later, but its author's handle, which the stream does not say; null for one without text or time. */
function textAt(did: string, key: string, record: WireObject, time: unknown): StreamText | null {
  const at = asDate((asNumber(time) ?? 0) / 1_000_000) ?? new Date();
  const uri = `at://${did}/${POSTS}/${key}`;
  const post = readPost({ uri, record, author: { did, handle: did }, indexedAt: at.toISOString() });
  if (post === null) return null;
  const { id, isReply, author, createdUtc, text, languages } = post;
  const title = isReply ? '' : titleOf(text);
  const flair = flairOf(tagsOf(record).map((tag) => `#${tag}`));
  return { id, isComment: isReply, at, forum: FORUM, title, text, author, createdUtc, flair, languages };
}
