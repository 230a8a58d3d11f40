import type { Sites } from './sites.js';

/** How late posts usually come from other servers, in milliseconds. */
export const USUAL_LATENESS_MS = 2 * 3_600_000;

/** The part that platforms with clients of sites have in common: listings that end by themselves, and no archive. */
export abstract class SitePlatform {
  readonly listingCap = null;
  readonly archive = null;

  constructor(protected readonly sites: Sites) {}

  /** Whether content is stored, by the wish of its account and the operator's setting. */
  protected isShown({ isUnindexed }: { isUnindexed: boolean }): boolean {
    return this.sites.options.ignoresNoindex || !isUnindexed;
  }

  /** Releases sockets. */
  close(): Promise<void> {
    this.sites.close();
    return Promise.resolve();
  }
}
