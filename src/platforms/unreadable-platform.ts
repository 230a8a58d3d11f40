import {
  type CommentSlice,
  type ListingPage,
  type Platform,
  PlatformError,
  type PlatformPost,
} from './platform.js';

/** A platform that cannot be read with the variables of the process: every request fails with `credentials_missing`. */
export class UnreadablePlatform implements Platform {
  readonly listings = ['none'] as const;
  readonly listingCap = null;
  readonly archive = null;
  readonly lookup = null;

  /** `obstacle` says why, as a sentence with the remedy. */
  constructor(
    readonly source: string,
    private readonly obstacle: string,
  ) {}

  fetchListing(): Promise<ListingPage> {
    return Promise.reject(this.error());
  }

  // eslint-disable-next-line require-yield
  async *walkComments(): AsyncGenerator<CommentSlice> {
    await Promise.reject(this.error());
  }

  fetchPosts(): Promise<PlatformPost[]> {
    return Promise.reject(this.error());
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private error(): PlatformError {
    return new PlatformError('credentials_missing', this.obstacle);
  }
}
