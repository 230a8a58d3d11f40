import { untilAborted } from '../../../common/until-aborted.js';
import { PlatformError, type PlatformSession } from '../../platform.js';
import { forumOf } from '../mapper.js';
import type { FeedItem } from './reddit-feed-items.js';

/** Forums that one request reads. */
const MAX_FORUMS = 10;
/** Time limit of a request that forums share, with its waits. */
const TIMEOUT_MS = 60 * 60_000;
/** Names of single forums. Their posts have the name as their forum, which those of `all` or `a+b` have not. */
const SINGLE = /^(?!(?:all|popular|random|friends|mod|home)$)\w{2,64}$/i;

/** The part of a feed that belongs to one forum. */
export interface ForumItems {
  items: FeedItem[];
  /** All entries of the feed, which may hold other forums. */
  all: readonly FeedItem[];
  /** Whether the feed held other forums, too. */
  isJoined: boolean;
}

interface Reader {
  forum: string;
  session: PlatformSession;
  resolve: (items: ForumItems) => void;
  reject: (error: Error) => void;
}

/** Whether a forum can be read together with others. */
export const isSingleForum = (name: string): boolean => SINGLE.test(name);

/**
 * Reads one kind of feed for several forums at once: while a request waits for the budget or its response, further forums
 * gather, and the next request reads up to ten of them.
 */
export class JoinedForums {
  private waiting: Reader[] = [];
  private isReading = false;
  private readonly closing = new AbortController();

  constructor(
    private readonly read: (forums: readonly string[], session: PlatformSession) => Promise<FeedItem[]>,
  ) {}

  /** Throws {@link PlatformError}, or the session's abort reason. */
  items(forum: string, session: PlatformSession): Promise<ForumItems> {
    const items = new Promise<ForumItems>((resolve, reject) => {
      this.waiting.push({ forum: forum.toLowerCase(), session, resolve, reject });
    });
    if (!this.isReading) void this.serve();
    return untilAborted(items, session.signal);
  }

  /** Aborts the request in flight. */
  close(): void {
    this.closing.abort(new Error('The platform client was closed'));
  }

  private async serve(): Promise<void> {
    this.isReading = true;
    while (this.waiting.length > 0) {
      const readers = this.waiting.filter(({ session }) => !session.signal.aborted);
      const forums = [...new Set(readers.map(({ forum }) => forum))].slice(0, MAX_FORUMS);
      this.waiting = readers.filter(({ forum }) => !forums.includes(forum));
      await this.readTogether(
        forums,
        readers.filter(({ forum }) => forums.includes(forum)),
      );
    }
    this.isReading = false;
  }

  /** A refusal may concern one of several forums only: each is then read by itself. */
  private async readTogether(forums: readonly string[], readers: readonly Reader[]): Promise<void> {
    try {
      const all =
        forums.length === 0 ? [] : await this.read(forums, sharedSession(readers, this.closing.signal));
      const isJoined = forums.length > 1;
      for (const { forum, resolve } of readers)
        resolve({ items: isJoined ? all.filter((item) => isOf(item, forum)) : [...all], all, isJoined });
    } catch (error) {
      const isRefusal = error instanceof PlatformError && error.code.startsWith('target_');
      if (!isRefusal || forums.length === 1) return readers.forEach(({ reject }) => reject(error as Error));
      for (const forum of forums)
        await this.readTogether(
          [forum],
          readers.filter((reader) => reader.forum === forum),
        );
    }
  }
}

const isOf = ({ row }: FeedItem, forum: string): boolean =>
  row !== null && forumOf(row).toLowerCase() === forum;

/** The session of a request that several share: it outlives each of them, counts for the first, and shows its waits to all. */
function sharedSession(readers: readonly Reader[], closing: AbortSignal): PlatformSession {
  const sessions = readers.map(({ session }) => session);
  const [first] = sessions;
  return {
    signal: AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)]),
    workspaceId: first!.workspaceId,
    priority: first!.priority,
    onRequest: () => first!.onRequest(),
    onBudgetWait: (milliseconds) => first!.onBudgetWait?.(milliseconds),
    onWait: (wait) => {
      const ends = sessions.map((session) => session.onWait?.(wait));
      return () => ends.forEach((end) => end?.());
    },
    onRetry: (retry) => sessions.forEach((session) => session.onRetry?.(retry)),
    onSuccess: () => sessions.forEach((session) => session.onSuccess?.()),
  };
}
