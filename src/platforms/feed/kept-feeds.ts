import { LRUCache } from 'lru-cache';
import { parseSite } from '../../common/site-names.js';
import { type Attempt, unreadable } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { type PageAnswer, refusedDocument, validatorsOf } from '../sites/site-page.js';
import type { Sites } from '../sites/sites.js';
import { decodedText } from './feed-encoding.js';
import type { FeedContent } from './feed-entry.js';
import { lifetimeOf } from './feed-lifetime.js';
import { RefusedXml } from './feed-xml.js';
import { linkedFeed, readFeed } from './read-feed.js';

const MAX_BYTES = 5 * 1_024 * 1_024;
/** Bytes of the documents that a process keeps, as received. */
const MAX_KEPT_BYTES = 32 * 1_024 * 1_024;
const MAX_MOVES = 5_000;
const MAX_REDIRECTS = 5;
/** For how long a feed that is gone for good is not asked again. */
const GONE_MS = 86_400_000;
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5';

/** A feed as last received, and until when it need not be asked again. */
export interface KeptFeed {
  /** Where it stands, after redirects. */
  address: string;
  content: FeedContent;
  validators: Record<string, string>;
  /** Epoch milliseconds. */
  freshUntil: number;
  /** When its site last gave it, or said that it has not changed; epoch milliseconds. */
  givenAt: number;
  /** When it was received, or what it says of its last change; epoch milliseconds. */
  time: number;
  bytes: number;
}

/** What an address gives: a feed, the same one as before, another address, or no feed. */
type Answer =
  | { kind: 'feed'; feed: KeptFeed }
  | { kind: 'same'; freshUntil: number }
  | { kind: 'moved'; to: URL; isForGood: boolean }
  | { kind: 'other'; status: number; linked: string | null };

/** The feeds that a process reads, each asked again only after the time that it and its site state. */
export class FeedDocuments {
  private readonly kept = new LRUCache<string, KeptFeed>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });
  private readonly moved = new LRUCache<string, string>({ max: MAX_MOVES });
  private readonly gone = new LRUCache<string, true>({ max: MAX_MOVES, ttl: GONE_MS });

  constructor(
    private readonly sites: Sites,
    private readonly now: () => number = Date.now,
  ) {}

  /** The feed at an address. Throws {@link PlatformError} where there is none. */
  async read(address: string, session: PlatformSession): Promise<KeptFeed> {
    const { answer, from } = await this.follow(address, session);
    if (answer.kind === 'feed') return answer.feed;
    throw refusal(from, answer.status, answer.linked);
  }

  /** The address of the feed at an address of a page, or of the one that the page links; null without one. */
  async find(page: string, session: PlatformSession): Promise<string | null> {
    const { answer, from } = await this.follow(page, session);
    if (answer.kind === 'feed') return answer.feed.address;
    if (answer.status >= 400 && answer.status !== 404) throw refusal(from, answer.status, null);
    return answer.linked;
  }

  private async follow(
    address: string,
    session: PlatformSession,
  ): Promise<{ answer: Extract<Answer, { kind: 'feed' | 'other' }>; from: string }> {
    // Only the first redirects of a chain that are for good are kept.
    let isForGood = true;
    let at = address;
    for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
      const known = this.moved.get(at);
      const answer: Answer =
        known === undefined
          ? await this.ask(at, session)
          : { kind: 'moved', to: new URL(known), isForGood: true };
      if (answer.kind === 'same') {
        const feed = { ...this.kept.get(at)!, freshUntil: answer.freshUntil, givenAt: this.now() };
        this.kept.set(at, feed);
        return { answer: { kind: 'feed', feed }, from: at };
      }
      if (answer.kind !== 'moved') return { answer, from: at };
      isForGood &&= answer.isForGood;
      if (isForGood) this.moved.set(at, answer.to.href);
      at = answer.to.href;
    }
    throw new PlatformError('bad_answer', `The feed ${address} redirects without an end`);
  }

  private async ask(address: string, session: PlatformSession): Promise<Answer> {
    const known = this.kept.get(address);
    if (known !== undefined && this.now() < known.freshUntil) return { kind: 'feed', feed: known };
    if (this.gone.has(address)) return { kind: 'other', status: 410, linked: null };
    const url = new URL(address);
    const site = parseSite(url.host);
    if (site === null || url.username !== '')
      throw new PlatformError('target_not_found', `${address} is not the address of a feed`);
    const answer = await this.sites.of(site, url.protocol).page<Answer>(
      {
        what: `the feed ${address}`,
        address: url,
        headers: { accept: ACCEPT, ...known?.validators },
        maxBytes: MAX_BYTES,
        read: (page) => this.readAnswer(address, page, known !== undefined),
      },
      session,
    );
    if (answer.kind === 'feed') this.kept.set(address, answer.feed);
    if (answer.kind === 'other' && answer.status === 410) this.gone.set(address, true);
    return answer;
  }

  private readAnswer(address: string, page: PageAnswer, isKnown: boolean): Attempt<Answer> {
    const { status, body, header, goal } = page;
    const done = (value: Answer): Attempt<Answer> => ({ done: true, value });
    const now = this.now();
    if (status === 304)
      return isKnown
        ? done({
            kind: 'same',
            freshUntil: now + lifetimeOf(header, this.kept.get(address)?.content ?? null, now),
          })
        : unreadable('status 304 for a document that was not asked for before');
    if (goal !== null)
      return done({ kind: 'moved', to: withoutFragment(goal), isForGood: status === 301 || status === 308 });
    if (status !== 200) return done({ kind: 'other', status, linked: null });
    if (body.length === 0) return unreadable('an empty body');
    const text = decodedText(body, header('content-type'));
    const content = contentOf(text, address);
    if (content === null) return done({ kind: 'other', status, linked: linkedFeed(text, address) });
    this.requireIndexed(address, content, header('x-robots-tag'));
    const changed = Date.parse(header('last-modified') ?? '');
    return done({
      kind: 'feed',
      feed: {
        address,
        content,
        validators: validatorsOf(header),
        freshUntil: now + lifetimeOf(header, content, now),
        givenAt: now,
        time: content.time ?? (Number.isNaN(changed) ? now : changed),
        bytes: body.length,
      },
    });
  }

  /** Many sites ask that feeds be not indexed themselves and their entries be followed (`noindex, follow`): these are read. */
  private requireIndexed(address: string, { isUnindexed }: FeedContent, tag: string | null): void {
    const isClosed =
      /\bnone\b/i.test(tag ?? '') || (/\bnoindex\b/i.test(tag ?? '') && /\bnofollow\b/i.test(tag ?? ''));
    if ((isUnindexed || isClosed) && !this.sites.options.ignoresNoindex)
      throw new PlatformError(
        'target_forbidden',
        `The feed ${address} asks programs not to index it. The operator can ignore it with SOURCE_IGNORE_NOINDEX=true`,
      );
  }
}

function contentOf(text: string, address: string): FeedContent | null {
  try {
    return readFeed(text, address);
  } catch (error) {
    if (error instanceof RefusedXml)
      throw new PlatformError(
        'bad_answer',
        `The document at ${address} is not read, because ${error.message}`,
      );
    throw error;
  }
}

function withoutFragment(url: URL): URL {
  url.hash = '';
  return url;
}

function refusal(address: string, status: number, linked: string | null): PlatformError {
  if (status === 410)
    return new PlatformError(
      'target_not_found',
      `The feed ${address} is gone for good, as its site says (status 410). Delete its schedules`,
    );
  if (status === 200)
    return new PlatformError(
      'target_not_found',
      linked === null
        ? `The document at ${address} is no feed`
        : `${address} is a page, no feed. It links one: feed:${linked}`,
    );
  return refusedDocument('feed', address, status);
}
