import { readInChunks } from '../../common/collections.js';
import { deletedPost, goneInThread } from '../deleted-content.js';
import { eachSite } from '../sites/site-lookup.js';
import { siteId, splitSiteId } from '../../common/site-names.js';
import type { Sites } from '../sites/sites.js';
import type { ContentLookup, GoneComment, GonePost, GoneReason, PlatformSession } from '../platform.js';
import { fetchPost, fetchTopic, fetchTopicPosts, isOpen } from './discourse-api.js';
import { DISCOURSE_PREFIX, type DiscoursePost, isShown, POSTS_PER_REQUEST } from './discourse-wire.js';

/**
 * Looks up topics and posts of Discourse. A missing record is gone only while the site answers visitors; a post that was
 * moved to another topic keeps its id and is not gone.
 */
export class DiscourseLookup implements ContentLookup {
  readonly prefixes = { post: DISCOURSE_PREFIX, comment: DISCOURSE_PREFIX };
  readonly commentsBy = 'thread';

  constructor(private readonly sites: Sites) {}

  findGonePosts(ids: readonly string[], session: PlatformSession): Promise<GonePost[]> {
    return eachSite(DISCOURSE_PREFIX, ids, async (site, numbers) => {
      const client = this.sites.of(site);
      const gone: GonePost[] = [];
      for (const number of numbers) {
        const topic = await fetchTopic(client, number, session);
        const first = topic?.posts.find((post) => post.number === 1) ?? null;
        if (topic !== null && (first === null || isShown(first))) continue;
        if (topic === null && !(await isOpen(client, session))) break;
        gone.push(deletedPost(siteId(DISCOURSE_PREFIX, site, number), reasonOf(first)));
      }
      return gone;
    });
  }

  findGoneComments(ids: readonly string[], postId: string, session: PlatformSession): Promise<GoneComment[]> {
    return eachSite(DISCOURSE_PREFIX, ids, async (site, numbers) => {
      const topic = splitSiteId(DISCOURSE_PREFIX, postId);
      if (topic === null) return [];
      const client = this.sites.of(site);
      const shown = await readInChunks(numbers, POSTS_PER_REQUEST, (some) => {
        const params = some.map((number): [string, string] => ['post_ids[]', number]);
        return fetchTopicPosts(client, topic.number, params, session);
      });
      const found = new Map(shown.map((post) => [String(post.id), post]));
      if (!numbers.every((number) => found.has(number)) && !(await isOpen(client, session))) return [];
      return goneInThread(
        numbers,
        found,
        (number) => fetchPost(client, number, session),
        (post) => (post !== null && isShown(post) ? null : reasonOf(post)),
        (number) => siteId(DISCOURSE_PREFIX, site, number),
      );
    });
  }
}

const reasonOf = (post: DiscoursePost | null): GoneReason =>
  post?.isHidden === true ? 'removed' : 'deleted';
