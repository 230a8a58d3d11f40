import type { ContentStream } from './content-stream.js';
import type { OnApplicationShutdown } from '@nestjs/common';
import {
  type ContentLookup,
  type Platform,
  PlatformError,
  type PlatformSession,
  type Target,
} from './platform.js';
import type { PlatformDefinition, ResolvedTarget } from './platform-definition.js';
import type { PlatformRegistry } from './platform-registry.js';
import { splitListened } from './listening.js';

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

  /**
   * The target at an address of a site that no definition knows, by requests to the site; null when no platform
   * recognises it. Throws {@link PlatformError} when the site could not be asked.
   */
  async recognise(url: URL, session: PlatformSession): Promise<(ResolvedTarget & { source: string }) | null> {
    let refusal: PlatformError | null = null;
    // A platform with a fixed host knows without a request whether an address is one of its own.
    const all = [...this.registry.all].sort((a, b) => Number(a.hasSites) - Number(b.hasSites));
    for (const { source, prefix, hasSites } of all)
      try {
        const target = (await this.bySource.get(source)!.recognise?.(url, session)) ?? null;
        if (target === null) continue;
        const { type, name } = target;
        return { target: prefix === null ? name : `${prefix}:${name}`, targetType: type, name, source };
      } catch (error) {
        // A site that is away, or belongs to one platform, does not get the requests of others.
        if (!(error instanceof PlatformError) || error.code === 'unavailable' || !hasSites) throw error;
        refusal ??= error;
      }
    if (refusal !== null) throw refusal;
    return null;
  }

  /** The platform with this name. Throws when there is none. */
  named(source: string): Platform {
    const platform = this.bySource.get(source);
    if (platform === undefined) throw new Error(`There is no source ${source}`);
    return platform;
  }

  /** The content lookups of the platforms that have one, by source. */
  lookups(): Map<string, ContentLookup> {
    return new Map(
      [...this.bySource.values()].flatMap(({ source, lookup }) =>
        lookup === null ? [] : [[source, lookup]],
      ),
    );
  }

  /** The stream of what queries listen to, by its normal form (`bluesky`, `SOURCE:SITE`); null when no platform has it. */
  streamOf(listened: string): ContentStream | null {
    const { source, place } = splitListened(listened);
    const platform = this.bySource.get(source);
    return (place === null ? platform?.stream : platform?.streamAt?.(place)) ?? null;
  }

  /** Releases the sockets of all platforms. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.bySource.values()].map((platform) => platform.close()));
  }
}
