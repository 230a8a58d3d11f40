import type { OnApplicationShutdown } from '@nestjs/common';
import type { Platform, Target } from './platform.js';

/** A target without the prefix of its source, and the platform that serves it. */
export interface SourcedTarget {
  platform: Platform;
  target: Target;
}

/** The configured platforms. A target names its source by a prefix (`hn:top`); without a known one it is the default's. */
export class Platforms implements OnApplicationShutdown {
  constructor(
    private readonly byDefault: Platform,
    private readonly byPrefix: Readonly<Record<string, Platform>> = {},
  ) {}

  /** The platform of a target, and the target as that platform names it. Prefixes compare without regard to case. */
  of(target: Target): SourcedTarget {
    const [, prefix = '', name = ''] = /^([a-z]+):(.*)$/is.exec(target.name) ?? [];
    const platform = Object.hasOwn(this.byPrefix, prefix.toLowerCase())
      ? this.byPrefix[prefix.toLowerCase()]
      : undefined;
    return platform ? { platform, target: { ...target, name } } : { platform: this.byDefault, target };
  }

  /** Releases the sockets of all platforms. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.byDefault, ...Object.values(this.byPrefix)].map((platform) => platform.close()));
  }
}
