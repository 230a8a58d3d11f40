import { asNumber, asObject, asText, type WireObject } from '../http/response-parsing.js';
import { socketTexts } from '../http/socket-texts.js';
import type { ContentStream, StreamBatch, Target } from '../platform.js';
import { readBlueskyTarget } from './bluesky-target.js';
import { tagsOf } from './bluesky-text.js';
import { BLUESKY_PREFIX, idOfUri } from './bluesky-wire.js';

const POSTS = 'app.bsky.feed.post';
/** Events are not strictly in the order of their times, so reading begins again this much earlier. */
const REPLAYED_US = 5_000_000;
/** A first event that is later than this after the position shows that the server no longer holds those between them. */
const GAP_US = 3_600_000_000;
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
    return read?.kind === 'tag' ? read.tag : null;
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
      const batch = {
        posts: [] as { id: string; topics: string[] }[],
        gone: [] as string[],
        goneAccounts: [] as string[],
      };
      for (const text of texts) {
        const event = parse(text);
        newest = Math.max(newest, asNumber(event?.time_us) ?? 0);
        if (event !== null) collect(event, batch);
      }
      const isGap = first === 0 && newest - Number(position) > GAP_US;
      first ||= newest;
      yield {
        ...batch,
        ...(isGap && { resumedAt: new Date(newest / 1_000) }),
        newestAt: newest === 0 ? null : new Date(newest / 1_000),
        position: newest === 0 ? null : String(newest - REPLAYED_US),
      };
    }
  }
}

/** Replies are left out, as everywhere: they are comments of the threads that they belong to. */
function collect(
  event: WireObject,
  {
    posts,
    gone,
    goneAccounts,
  }: { posts: { id: string; topics: string[] }[]; gone: string[]; goneAccounts: string[] },
): void {
  const account = asObject(event.account);
  if (event.kind === 'account' && account?.active === false && GONE.has(asText(account.status) ?? ''))
    goneAccounts.push(`${BLUESKY_PREFIX}${asText(event.did) ?? ''}_`);
  const commit = asObject(event.commit);
  if (event.kind !== 'commit' || commit?.collection !== POSTS) return;
  const id = idOfUri(`at://${asText(event.did) ?? ''}/${POSTS}/${asText(commit.rkey) ?? ''}`);
  if (id === null) return;
  if (commit.operation === 'delete') gone.push(id);
  const record = asObject(commit.record);
  if (record === null || asObject(record.reply) !== null) return;
  const topics = tagsOf(record).map((tag) => tag.toLowerCase());
  if (topics.length > 0) posts.push({ id, topics });
}

function parse(text: string): WireObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}
