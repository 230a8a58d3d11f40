import type { OnApplicationShutdown } from '@nestjs/common';
import { type ContentLookup, type Platform, PlatformError, type Target } from './platform.js';
import type { PlatformDefinition } from './platform-definition.js';
import type { PlatformRegistry } from './platform-registry.js';

/** A target without the prefix of its source, and the platform that serves it. */
export interface ServedTarget {
  platform: Platform;
  target: Target;
}

/** The platforms of a registry, as the environment configures them. */
export class Platforms implements OnApplicationShutdown {
  private readonly bySource: ReadonlyMap<string, Platform>;

  constructor(
    private readonly registry: PlatformRegistry,
    create: (definition: PlatformDefinition) => Platform,
  ) {
    this.bySource = new Map(registry.all.map((definition) => [definition.source, create(definition)]));
  }

  /** The platform of a target, and the target's name on it. Throws {@link PlatformError} if no source can have it. */
  of(target: Target): ServedTarget {
    const parsed = this.registry.parse(target);
    if ('refusal' in parsed) throw new PlatformError('target_not_found', parsed.refusal);
    return { platform: this.bySource.get(parsed.definition.source)!, target: parsed.target };
  }

  /** The content lookups of the platforms that have one, by source. */
  lookups(): Map<string, ContentLookup> {
    return new Map(
      [...this.bySource.values()].flatMap(({ source, lookup }) =>
        lookup === null ? [] : [[source, lookup]],
      ),
    );
  }

  /** Releases the sockets of all platforms. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.bySource.values()].map((platform) => platform.close()));
  }
}
