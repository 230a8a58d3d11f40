import { siteId } from '../../common/site-names.js';
import type { PlatformComment, TreePost } from '../platform.js';
import { shortReply } from '../short-posts.js';
import { MASTODON_PREFIX, type MastodonStatus } from './mastodon-wire.js';

/** The replies below a status, as far as they have been received. */
export class MastodonThread {
  private readonly statuses = new Map<string, MastodonStatus>();
  private readonly children = new Map<string, number>();
  private readonly asked = new Set<string>();

  /** `root` is the id of the status on its instance. */
  constructor(private readonly root: string) {}

  /** Adds replies; returns how many are new. */
  add(statuses: readonly MastodonStatus[]): number {
    let added = 0;
    for (const status of statuses) {
      if (this.statuses.has(status.id) || status.id === this.root) continue;
      this.statuses.set(status.id, status);
      const parent = this.parentOf(status);
      this.children.set(parent, (this.children.get(parent) ?? 0) + 1);
      added += 1;
    }
    return added;
  }

  /** A reply of which the instance counts more replies than have been received, each only once; null if there is none. */
  nextIncomplete(): string | null {
    for (const { id, replies } of this.statuses.values())
      if (!this.asked.has(id) && replies > (this.children.get(id) ?? 0)) {
        this.asked.add(id);
        return id;
      }
    return null;
  }

  /** Replies that the instance counts but does not show; `counted` is its count for the root. */
  missing(counted: number): number {
    let missing = Math.max(0, counted - (this.children.get(this.root) ?? 0));
    for (const { id, replies } of this.statuses.values())
      missing += Math.max(0, replies - (this.children.get(id) ?? 0));
    return missing;
  }

  /** The replies as comments, parents first. `isShown` selects those that are stored. */
  comments(site: string, post: TreePost, isShown: (status: MastodonStatus) => boolean): PlatformComment[] {
    const [, author] = /^\/@(.+)\/[^/]+$/.exec(post.permalink) ?? [];
    return [...this.statuses.values()]
      .filter(isShown)
      .map((status) => {
        const parent = this.parentOf(status);
        return shortReply({ ...status, id: siteId(MASTODON_PREFIX, site, status.id) }, post, {
          parentId: parent === this.root ? post.id : siteId(MASTODON_PREFIX, site, parent),
          depth: this.depthOf(status),
          isSubmitter: status.author === author,
        });
      })
      .sort((a, b) => a.depth - b.depth);
  }

  /** The status that one replies to; the root if that is not there. */
  private parentOf({ id, replyTo }: MastodonStatus): string {
    return replyTo !== null && replyTo !== id && this.statuses.has(replyTo) ? replyTo : this.root;
  }

  /** Bounded, because hostile statuses could reply to each other. */
  private depthOf(status: MastodonStatus): number {
    const passed = new Set<string>();
    let parent = this.parentOf(status);
    while (parent !== this.root && !passed.has(parent)) {
      passed.add(parent);
      parent = this.parentOf(this.statuses.get(parent)!);
    }
    return passed.size;
  }
}
