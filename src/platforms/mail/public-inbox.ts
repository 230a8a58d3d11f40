import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { groupBy } from '../../common/collections.js';
import { percentDecoded } from '../../common/strings.js';
import type { FeedEntry } from '../feed/feed-entry.js';
import { readFeed } from '../feed/read-feed.js';
import { completeEach } from '../forum/complete-each.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import type { MailFiles } from './mail-files.js';
import { charactersOf, type MailMessage } from './mail-message.js';
import { type MailThread, messagesOf, threadsOf } from './mail-threads.js';
import { activityOf } from './volume-window.js';

/** Messages of a page of the Atom feed. */
const FEED_SIZE = 25;
/** Threads of a page where the whole archive is one file. */
const PAGE_SIZE = 500;
/** Pages of the feed that a pass for new messages reads together. */
const MAX_FEED_PAGES = 40;
/** For how long an archive that cannot be had as one file is not asked for it. */
const NO_FILE_MS = 86_400_000;
/** Replies above one another that are followed within the feed. */
const MAX_DEPTH = 100;
/** Characters of the threads that a process knows by their messages. */
const MAX_KNOWN_CHARACTERS = 32 * 1_024 * 1_024;

/** Threads with the latest activity first, and where the listing goes on; null at its end. */
export interface InboxPage {
  threads: MailThread<MailMessage>[];
  next: string | null;
  isCut: boolean;
}

/** A message of the Atom feed. */
interface FeedMessage {
  /** Its `Message-ID`. */
  id: string;
  /** What the feed calls it, and the one that it replies to. */
  name: string;
  answers: string | null;
  /** When it arrived; epoch milliseconds. */
  time: number;
}

/** A message that begins a part of a thread, and the messages of that part. */
interface Top {
  id: string;
  members: string[];
}

/** What a listing needs: the archive, from where, and how much. */
export interface InboxQuery {
  address: URL;
  after: string | null;
  wanted: number;
  since: Date | undefined;
}

/**
 * Archives of public-inbox: as one file where the server gives it and it is not too large, else by its Atom feed, with
 * one request for each thread.
 */
export class PublicInbox {
  private readonly withoutFile = new LRUCache<string, true>({ max: 1_000, ttl: NO_FILE_MS });
  /** Threads by the ids of their messages. */
  private readonly threads = new LRUCache<string, MailThread<MailMessage>>({ maxSize: MAX_KNOWN_CHARACTERS });

  constructor(private readonly files: MailFiles) {}

  async page(query: InboxQuery, session: PlatformSession): Promise<InboxPage> {
    const { address, after, wanted, since } = query;
    const [, offset] = /^all (\d{1,7})$/.exec(after ?? '') ?? [];
    const isWhole = after === null && since === undefined && wanted > FEED_SIZE;
    if (offset !== undefined || isWhole) {
      const page = await this.wholePage(address, Number(offset ?? 0), session);
      if (page !== null) return page;
    }
    return this.feedPage(query, session);
  }

  /** The threads in the file of a message's thread. */
  async threadOf(
    address: URL,
    messageId: string,
    session: PlatformSession,
  ): Promise<MailThread<MailMessage>[]> {
    const file = new URL(`${encodeURIComponent(messageId)}/t.mbox.gz`, address).href;
    const threads = threadsOf((await this.files.mbox(file, Infinity, session)) ?? []);
    for (const thread of threads)
      for (const message of messagesOf(thread))
        this.threads.set(`${address.href} ${message.id}`, thread, { size: charactersOf([message]) });
    return threads;
  }

  /** Null where the server does not give the archive as one file, or a larger one than is read. */
  private async wholePage(address: URL, from: number, session: PlatformSession): Promise<InboxPage | null> {
    if (this.withoutFile.has(address.href)) return null;
    const messages = await this.whole(address, session);
    if (messages === null) {
      this.withoutFile.set(address.href, true);
      return null;
    }
    const all = threadsOf(messages).sort((a, b) => activityOf(b) - activityOf(a));
    const end = from + PAGE_SIZE;
    return { threads: all.slice(from, end), next: end < all.length ? `all ${end}` : null, isCut: false };
  }

  private async whole(address: URL, session: PlatformSession): Promise<readonly MailMessage[] | null> {
    try {
      return await this.files.mbox(new URL('all.mbox.gz', address).href, Infinity, session);
    } catch (error) {
      if (error instanceof PlatformError && error.code !== 'unavailable' && error.code !== 'rate_limited')
        return null;
      throw error;
    }
  }

  /** A page of the feed; with `since`, all pages back to then. */
  private async feedPage(
    { address, after, since }: InboxQuery,
    session: PlatformSession,
  ): Promise<InboxPage> {
    const messages: FeedMessage[] = [];
    const isNew = ({ time }: FeedMessage): boolean => since === undefined || time >= since.getTime();
    let at = after;
    let isCut = false;
    for (let pages = 0; pages < (since === undefined ? 1 : MAX_FEED_PAGES); pages += 1) {
      const page = await this.feed(address, at, session);
      messages.push(...page.messages);
      isCut = page.isCut;
      at = page.messages.every(isNew) ? page.next : null;
      if (at === null) break;
    }
    const tops = topsOf(messages, isNew);
    return { threads: await this.threadsWith(address, tops, session), next: at, isCut };
  }

  /** The messages that arrived up to the time `at`, newest first. */
  private async feed(
    address: URL,
    at: string | null,
    session: PlatformSession,
  ): Promise<{ messages: FeedMessage[]; next: string | null; isCut: boolean }> {
    const url = new URL('new.atom', address);
    if (at !== null) url.searchParams.set('t', at);
    const { text } = await this.files.page(url, 'application/atom+xml', session);
    const feed = readFeed(text, url.href);
    if (feed === null) throw new PlatformError('bad_answer', `The document at ${url.href} is no feed`);
    const all = feed.entries.flatMap((entry) => feedMessage(entry) ?? []);
    // A server without an index gives its newest messages, whatever time is named.
    const messages = at === null ? all : all.filter(({ time }) => feedTimeOf(time) <= at);
    const isCut = messages.length === 0 && all.length > 0;
    return { messages, next: nextFeedTime(at, messages), isCut };
  }

  /**
   * The threads of messages of the feed, each read unless it is known with all of them. One after another, since two may
   * be of one thread.
   */
  private async threadsWith(
    address: URL,
    tops: readonly Top[],
    session: PlatformSession,
  ): Promise<MailThread<MailMessage>[]> {
    const known = (id: string): MailThread<MailMessage> | undefined =>
      this.threads.get(`${address.href} ${id}`);
    const inTurn = pLimit(1);
    const threads = await completeEach(tops, session, ({ id, members }) =>
      inTurn(async () => {
        const thread = known(id);
        if (thread !== undefined && members.every((one) => known(one) === thread)) return thread;
        const all = await this.threadOf(address, id, session);
        return all.find((one) => messagesOf(one).some((message) => message.id === id)) ?? null;
      }),
    );
    const byRoot = new Map(threads.map((thread) => [thread.root.id, thread]));
    return [...byRoot.values()].sort((a, b) => activityOf(b) - activityOf(a));
  }
}

/** Null for an entry without an address or a time. */
function feedMessage({ guid, link, inReplyTo, time }: FeedEntry): FeedMessage | null {
  const segment =
    link !== null && URL.canParse(link) ? new URL(link).pathname.split('/').filter(Boolean).at(-1) : '';
  const id = percentDecoded(segment ?? '');
  return id === '' || time === null ? null : { id, name: guid, answers: inReplyTo, time };
}

/** The messages that answer no other one of some, each with the new messages below it; only where there is one. */
function topsOf(messages: readonly FeedMessage[], isNew: (message: FeedMessage) => boolean): Top[] {
  const byName = new Map(messages.map((message) => [message.name, message]));
  const topOf = (message: FeedMessage): string => {
    let top = message;
    for (let step = 0; step < MAX_DEPTH; step += 1) top = byName.get(top.answers ?? '') ?? top;
    return top.id;
  };
  const tops = groupBy(messages.filter(isNew), topOf);
  return [...tops].map(([id, members]) => ({ id, members: members.map((message) => message.id) }));
}

/** A time as the parameter of the feed: `YYYYMMDDhhmmss`, UTC. */
function feedTimeOf(time: number): string {
  return new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);
}

/**
 * The time up to which the next page goes: that of the oldest message, or a second before it when all of a full page is
 * of the second that was asked for; null when there is nothing older. Servers leave out what they hide, so a short page
 * is not the last.
 */
function nextFeedTime(at: string | null, messages: readonly FeedMessage[]): string | null {
  if (messages.length === 0) return null;
  const oldest = Math.min(...messages.map(({ time }) => time));
  if (at === null || feedTimeOf(oldest) < at) return feedTimeOf(oldest);
  return messages.length < FEED_SIZE ? null : feedTimeOf(oldest - 1_000);
}
