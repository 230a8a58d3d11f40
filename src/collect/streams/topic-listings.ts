import { Injectable } from '@nestjs/common';
import { type Platform, PlatformError } from '../../platforms/platform.js';
import type { ServedTarget } from '../../platforms/platforms.js';
import { StreamsRepository } from './streams.repository.js';

/** How a job lists the posts of a target. */
export type Listing = Pick<
  Platform,
  'fetchListing' | 'fetchPosts' | 'complete' | 'listings' | 'isByActivity' | 'listingCap' | 'archive'
>;

const PAGE_SIZE = 100;

/** The listings of topics, whose posts come by a stream. */
@Injectable()
export class TopicListings {
  constructor(private readonly streams: StreamsRepository) {}

  /**
   * The listing of a target: that of its platform, or of a topic the kept posts of the stream, the latest first. A topic
   * is kept from its first job on.
   */
  async of(workspaceId: string, { platform, target }: ServedTarget): Promise<Listing> {
    const topic = platform.stream?.topicOf?.(target) ?? null;
    if (topic === null) return platform;
    if (!(await this.streams.want(workspaceId, platform.source, topic)))
      throw new PlatformError('rate_limited', `Too many topics of ${platform.source} are kept`);
    return {
      listings: ['topic'],
      isByActivity: true,
      listingCap: null,
      archive: null,
      fetchPosts: (ids, session) => platform.fetchPosts(ids, session),
      fetchListing: async (_listing, after, session) => {
        const kept = await this.streams.list(platform.source, topic, after, PAGE_SIZE);
        const ids = kept.map(({ id }) => id);
        return {
          posts: ids.length === 0 ? [] : await platform.fetchPosts(ids, session),
          after: kept.length < PAGE_SIZE ? null : kept.at(-1)!.position,
        };
      },
    };
  }
}
