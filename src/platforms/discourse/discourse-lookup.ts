import { chunksOf } from '../../common/collections.js';
import { deletedComment, deletedPost } from '../deleted-content.js';
import { eachSite } from '../http/site-lookup.js';
import { siteId, splitSiteId } from '../../common/site-names.js';
import type { Sites } from '../http/sites.js';
import type { ContentLookup, GoneComment, GonePost, GoneReason, PlatformSession } from '../platform.js';
import { fetchPost, fetchTopic, fetchTopicPosts, isOpen } from './discourse-api.js';
import { DISCOURSE_PREFIX, type DiscoursePost, isShown, POSTS_PER_REQUEST } from './discourse-wire.js';

/** Missing posts that one lookup of a topic asks for one by one; the others are left for the next pass. */
const MAX_SINGLE_POSTS = 100;

/**
 * Looks up topics and posts of Discourse. What is missing is gone only while the site answers visitors; a post that was
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
      const found = new Map<string, DiscoursePost>();
      for (const some of chunksOf(numbers, POSTS_PER_REQUEST)) {
        const params = some.map((number): [string, string] => ['post_ids[]', number]);
        for (const post of await fetchTopicPosts(client, topic.number, params, session))
          found.set(String(post.id), post);
      }
      const missing = numbers.filter((number) => !found.has(number));
      if (missing.length > 0 && !(await isOpen(client, session))) return [];
      const unknown = new Set(missing.splice(MAX_SINGLE_POSTS));
      for (const number of missing) {
        const post = await fetchPost(client, number, session);
        if (post !== null) found.set(number, post);
      }
      return numbers.flatMap((number) => {
        const post = found.get(number) ?? null;
        if (unknown.has(number) || (post !== null && isShown(post))) return [];
        return deletedComment(siteId(DISCOURSE_PREFIX, site, number), reasonOf(post));
      });
    });
  }
}

const reasonOf = (post: DiscoursePost | null): GoneReason =>
  post?.isHidden === true ? 'removed' : 'deleted';
