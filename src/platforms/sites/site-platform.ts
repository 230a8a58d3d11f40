import type { Sites } from './sites.js';

/** The part that platforms with clients of sites have in common: listings that end by themselves, and no archive. */
export abstract class SitePlatform {
  readonly listingCap = null;
  readonly archive = null;

  constructor(protected readonly sites: Sites) {}

  /** Whether content is stored, by what its account asks and what the operator allows. */
  protected isShown({ isUnindexed }: { isUnindexed: boolean }): boolean {
    return this.sites.options.ignoresNoindex || !isUnindexed;
  }

  /** Releases sockets. */
  close(): Promise<void> {
    this.sites.close();
    return Promise.resolve();
  }
}
