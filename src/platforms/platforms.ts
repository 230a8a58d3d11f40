import type { OnApplicationShutdown } from '@nestjs/common';
import type { ContentLookup, Platform, Target } from './platform.js';
import { type SourcePrefix, splitTarget } from './target-names.js';

/** A target without the prefix of its source, and the platform that serves it. */
export interface SourcedTarget {
  platform: Platform;
  target: Target;
}

/**
 * The configured platforms. A target selects its source by a prefix (`hn:top`); without a known prefix it belongs to
 * the default platform.
 */
export class Platforms implements OnApplicationShutdown {
  constructor(
    private readonly byDefault: Platform,
    private readonly byPrefix: Readonly<Partial<Record<SourcePrefix, Platform>>> = {},
  ) {}

  /** The platform of a target, and the target's name on that platform. Prefixes are case-insensitive. */
  of(target: Target): SourcedTarget {
    const sourced = splitTarget(target);
    const platform = sourced && this.byPrefix[sourced.prefix];
    return platform ? { platform, target: sourced.target } : { platform: this.byDefault, target };
  }

  /** The content lookups of the platforms that have one, by source. */
  lookups(): Map<string, ContentLookup> {
    const platforms = [this.byDefault, ...Object.values(this.byPrefix)];
    return new Map(platforms.flatMap(({ source, lookup }) => (lookup === null ? [] : [[source, lookup]])));
  }

  /** Releases the sockets of all platforms. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.byDefault, ...Object.values(this.byPrefix)].map((platform) => platform.close()));
  }
}
