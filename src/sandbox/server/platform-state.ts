import { DataSet } from '../data/data-set.js';
import { BlueskyRoutes } from '../bluesky/bluesky-routes.js';
import { DiscourseRoutes } from '../discourse/discourse-routes.js';
import { FeedRoutes } from '../feed/feed-routes.js';
import { FlarumRoutes } from '../flarum/flarum-routes.js';
import { GitHubRoutes } from '../github/github-routes.js';
import { HackerNewsRoutes } from '../hackernews/hackernews-routes.js';
import { LemmyRoutes } from '../lemmy/lemmy-routes.js';
import { MailRoutes } from '../mail/mail-routes.js';
import { MastodonRoutes } from '../mastodon/mastodon-routes.js';
import { MbinRoutes } from '../mbin/mbin-routes.js';
import { NodebbRoutes } from '../nodebb/nodebb-routes.js';
import type { FaultOptions, SandboxOptions } from '../options.js';
import { PiefedRoutes } from '../piefed/piefed-routes.js';
import { StackExchangeRoutes } from '../stackexchange/stackexchange-routes.js';
import type { Answer, RequestFacts } from './answer.js';
import { ArchiveRoutes } from './archive.js';
import { Faults } from './faults.js';
import { RedditFeedRoutes } from './reddit-feeds.js';
import { PlatformClock } from './platform-clock.js';
import { ApiRoutes } from './routes.js';

/** The state that a test can change while the platform runs, and values derived from it. */
export class PlatformState {
  data!: DataSet;
  clock!: PlatformClock;
  api!: ApiRoutes;
  archive!: ArchiveRoutes;
  feeds!: RedditFeedRoutes;
  bluesky!: BlueskyRoutes;
  /** The further platforms, by the base of their paths. */
  further!: Readonly<
    Record<string, { answer(path: string, params: URLSearchParams, facts: RequestFacts): Answer }>
  >;
  faults: Faults | null = null;

  constructor(private readonly options: SandboxOptions) {
    this.reset();
  }

  /** Restores the initial state. */
  reset(): void {
    this.clock = new PlatformClock(this.options.now ?? Date.now, this.options.clock?.getTime() ?? null);
    this.data = new DataSet({ ...this.options, now: this.clock.now });
    this.api = new ApiRoutes(this.data);
    this.archive = new ArchiveRoutes(
      this.data,
      this.api.listings,
      this.options.archiveSlowAboveLimit ?? null,
    );
    this.feeds = new RedditFeedRoutes(this.data, this.api.listings);
    this.bluesky = new BlueskyRoutes(this.data);
    this.further = {
      '/hackernews/api/v1': new HackerNewsRoutes(this.data),
      '/discourse': new DiscourseRoutes(this.data),
      '/feed': new FeedRoutes(this.data),
      '/mail': new MailRoutes(this.data),
      '/nodebb': new NodebbRoutes(this.data),
      '/flarum': new FlarumRoutes(this.data),
      '/lemmy': new LemmyRoutes(this.data),
      '/piefed': new PiefedRoutes(this.data),
      '/mbin': new MbinRoutes(this.data),
      '/mastodon': new MastodonRoutes(this.data),
      '/stackexchange/2.3': new StackExchangeRoutes(this.data),
      '/github': new GitHubRoutes(this.data),
      '/bluesky/xrpc/': this.bluesky,
    };
    this.setFaults(this.options.faults ?? null);
  }

  setFaults(faults: FaultOptions | null): void {
    this.faults = faults && new Faults(this.data.seed, faults);
  }
}
