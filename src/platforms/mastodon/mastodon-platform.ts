import { siteId, splitSiteId } from '../../common/site-names.js';
import type { ContentStream } from '../content-stream.js';
import type { PolledSource } from '../polling/polled-source.js';
import { PollingStream } from '../polling/polling-stream.js';
import { MISSING_TREE } from '../comment-slices.js';
import { lookupById } from '../deleted-content.js';
import { asObject, asText } from '../http/response-parsing.js';
import { eachSite } from '../sites/site-lookup.js';
import { SitePlatform, USUAL_LATENESS_MS } from '../sites/site-platform.js';
import { answersAs } from '../sites/site-software.js';
import { requireTarget } from '../sites/site-targets.js';
import type { SiteClient } from '../sites/site-client.js';
import {
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type TreePost,
} from '../platform.js';
import { readMastodonAddress } from './mastodon-addresses.js';
import { MastodonApi } from './mastodon-api.js';
import { readMastodonTarget } from './mastodon-target.js';
import { MastodonThread } from './mastodon-thread.js';
import { mapStatus, MASTODON_PREFIX, type MastodonStatus } from './mastodon-wire.js';
import { mastodonPolled } from './mastodon-polled.js';

/** Requests for replies below the replies of a thread. */
const MAX_FURTHER_REQUESTS = 100;
/** Such requests in a row that give nothing new, after which no more are sent for a thread. */
const MAX_FRUITLESS = 3;

/** Mastodon instances as they answer visitors: timelines without boosts, and contexts of limited size. */
export class MastodonPlatform extends SitePlatform implements Platform {
  readonly source = 'mastodon';
  readonly listings = ['timeline'] as const;
  readonly lateMs = USUAL_LATENESS_MS;
  readonly lookup = lookupById(MASTODON_PREFIX, (ids, session) => this.findGone(ids, session));

  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = requireTarget('mastodon', target, readMastodonTarget(target));
    const page = await this.apiOf(read.site).readTimeline(read, after, session);
    const shown = page.statuses.filter((status) => !status.isBoost && this.isShown(status));
    return { posts: shown.map((status) => mapStatus(read.site, status)), after: page.after };
  }

  /** Visitors get few replies of a large thread, so those below a reply are requested where some are missing. */
  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const { site, number } = splitSiteId(MASTODON_PREFIX, post.id)!;
    const api = this.apiOf(site);
    const replies = await api.readContext(number, session);
    if (replies === null) return void (yield MISSING_TREE);
    const thread = new MastodonThread(number);
    thread.add(replies);
    for (let requests = 0, fruitless = 0; requests < MAX_FURTHER_REQUESTS; requests += 1) {
      const id = fruitless < MAX_FRUITLESS ? thread.nextIncomplete() : null;
      if (id === null) break;
      const added = thread.add((await api.readContext(id, session)) ?? []);
      fruitless = added > 0 ? 0 : fruitless + 1;
    }
    yield {
      comments: thread.comments(site, post, (status) => this.isShown(status)),
      missing: thread.missing(post.numComments ?? 0),
    };
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const target = readMastodonAddress(url);
    if (target === null) return null;
    return (await this.isInstance(this.sites.of(url.host), session)) ? target : null;
  }

  /** Later versions may end the first form of the document. */
  private isInstance(client: SiteClient, session: PlatformSession): Promise<boolean> {
    const isInstance = (json: unknown): boolean => {
      const { version, uri, domain } = asObject(json) ?? {};
      return asText(version) !== null && asText(uri ?? domain) !== null;
    };
    return answersAs(client, ['/api/v1/instance', '/api/v2/instance'], isInstance, session);
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    return eachSite(MASTODON_PREFIX, ids, async (site, numbers) =>
      (await this.apiOf(site).readStatuses(numbers, session))
        .filter((status) => this.isShown(status))
        .map((status) => mapStatus(site, status)),
    );
  }

  streamAt(site: string): ContentStream {
    const isShown = (status: MastodonStatus): boolean => this.isShown(status);
    const findGone: PolledSource['findGone'] = (ids, session) => this.findGone(ids, session);
    return new PollingStream(mastodonPolled(this.apiOf(site), site, this.sites.pollMs(), isShown, findGone));
  }

  /** A status that a list of statuses lacks is gone if the instance has none of its id. */
  private findGone(ids: readonly string[], session: PlatformSession): Promise<string[]> {
    return eachSite(MASTODON_PREFIX, ids, async (site, numbers) => {
      const api = this.apiOf(site);
      const shown = new Set((await api.readStatuses(numbers, session)).map(({ id }) => id));
      const gone: string[] = [];
      for (const number of numbers)
        if (!shown.has(number) && (await api.readStatus(number, session)) === null)
          gone.push(siteId(MASTODON_PREFIX, site, number));
      // An instance that shows visitors nothing at all says nothing of single statuses.
      const isKnown = gone.length < numbers.length || (await this.isInstance(this.sites.of(site), session));
      return isKnown ? gone : [];
    });
  }

  private apiOf(site: string): MastodonApi {
    return new MastodonApi(this.sites.of(site), this.sites.options.ignoresNoindex);
  }
}
