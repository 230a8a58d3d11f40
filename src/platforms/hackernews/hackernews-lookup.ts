import { deletedComment, deletedPost } from '../deleted-content.js';
import { ItemFaults } from '../item-faults.js';
import type { ContentLookup, GoneComment, GonePost, PlatformSession } from '../platform.js';
import type { HackerNewsApi } from './hackernews-api.js';
import { HACKERNEWS_IDS } from './hackernews-ids.js';
import { numberOf } from './hackernews-items.js';
import { readThread } from './hackernews-thread.js';

/**
 * Maximum number of comments that one lookup of a thread requests individually; the others are left for the next pass.
 */
const MAX_ITEMS = 100;
/** Items of one lookup that fail in a row before the lookup fails. */
const MAX_FAILED_ITEMS = 3;

/** Finds what is dead or deleted: it is no longer in the index. */
export class HackerNewsLookup implements ContentLookup {
  readonly prefixes = HACKERNEWS_IDS;
  readonly commentsBy = 'thread';

  constructor(private readonly api: HackerNewsApi) {}

  /**
   * Dead and deleted posts are not in the index. A post that the search lacks is gone if its thread is missing too, and
   * if the index has most of the others: it may lack posts of a time for other reasons, and then says nothing of them.
   */
  async findGonePosts(ids: readonly string[], session: PlatformSession): Promise<GonePost[]> {
    const found = new Set((await this.api.fetchPosts(ids, session)).map(({ id }) => id));
    const missing: string[] = [];
    for (const id of ids) {
      if (found.has(id)) continue;
      if ((await this.threadOf(id, session)) === null) missing.push(id);
      else found.add(id);
    }
    return missing.length > found.size ? [] : missing.map((id) => deletedPost(id));
  }

  /**
   * Dead and deleted comments are not in the thread, but neither are those that moderators moved elsewhere. A missing
   * comment is therefore gone only if its own item is. When the whole thread is gone, nothing is known about its
   * comments.
   */
  async findGoneComments(
    ids: readonly string[],
    postId: string,
    session: PlatformSession,
  ): Promise<GoneComment[]> {
    const thread = await this.api.fetchIds(postId, session);
    if (thread === null) return [];
    const shown = new Set(thread);
    const gone: GoneComment[] = [];
    // Parents have lower numbers than their replies, and replies are moved together with them, so one request finds
    // them all.
    const missing = ids.filter((id) => !shown.has(id)).sort((a, b) => numberOf(a) - numberOf(b));
    const faults = new ItemFaults(MAX_FAILED_ITEMS);
    let requests = 0;
    for (const id of missing) {
      if (shown.has(id)) continue;
      if ((requests += 1) > MAX_ITEMS) break;
      try {
        const item = await this.api.fetchIds(id, session);
        faults.succeeded();
        for (const one of item ?? []) shown.add(one);
        if (!shown.has(id)) gone.push(deletedComment(id));
      } catch (error) {
        if (!faults.passesOver(error)) throw error;
      }
    }
    return gone;
  }

  /** Those of some stories and comments that are gone, each by its own item. */
  async findGoneItems(ids: readonly string[], session: PlatformSession): Promise<string[]> {
    const gone: string[] = [];
    for (const id of ids) if (!(await this.api.fetchIds(id, session))?.includes(id)) gone.push(id);
    return gone;
  }

  private threadOf(id: string, session: PlatformSession): Promise<object | null> {
    return this.api.fetchItem(id, session, (json) => readThread(json, { id, forum: '', permalink: '' }));
  }
}
