import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problems/problem.js';
import { PlatformError } from '../../platforms/platform.js';
import type { PlatformDefinition, ResolvedTarget } from '../../platforms/platform-definition.js';
import { Platforms } from '../../platforms/platforms.js';
import { SOURCES } from '../../platforms/registry.js';
import { type ResolvedTargetDto, SourceDto, type SourceListDto } from './dto/source.dto.js';

/** Time limit for asking a site for its software. */
const TIMEOUT_MS = 10_000;

/** Describes the sources, and finds the target at an address. */
@Injectable()
export class SourcesService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly platforms: Platforms,
  ) {}

  /** All sources of this service, in the order of registration, each followed by a synthetic one that serves its targets. */
  list(): SourceListDto {
    return {
      sources: SOURCES.all
        .flatMap((definition) => this.asConfigured(definition))
        .map((definition) => {
          const { limit } = definition.budget(this.environment, null);
          return SourceDto.from(definition, {
            requests: limit.requests,
            window_seconds: limit.withinMs / 1_000,
            per_site: definition.hasSites,
          });
        }),
    };
  }

  /**
   * The target at an address; a site that no source knows gets requests that find out its software. Throws 400 for a text that is not an
   * address, for an address that no source has, and when the site could not be asked, with the reason.
   */
  async resolve(workspaceId: string, text: string): Promise<ResolvedTargetDto> {
    const url = SOURCES.urlOf(text.trim());
    if (url === null)
      throw refused('url must be the address of a page, such as https://www.reddit.com/r/technology');
    const found = SOURCES.resolve(url.href) ?? (await this.recognise(workspaceId, url));
    if (found !== null && 'refusal' in found) throw refused(`url names no target: ${found.refusal}`);
    if (found !== null) {
      const { target, targetType, name, source } = found;
      return { target, target_type: targetType, source, name };
    }
    const names = SOURCES.all.map(({ name }) => name).join(', ');
    const forms = SOURCES.all.flatMap(({ hasSites, targets }) => (hasSites ? targets[0]!.form : []));
    throw refused(
      `url is not the address of a forum or user of a known source: ${names}. Of a site of your own choice, write the target: ${forms.join(', ')}. See GET /sources`,
    );
  }

  /** A source with its limitations in this installation. */
  private asConfigured(definition: PlatformDefinition): PlatformDefinition[] {
    const { synthetic, lacks, obstacle, missing } = definition;
    const { environment } = this;
    if (synthetic?.isUsed(environment) !== true)
      return [
        { ...definition, lacks: [obstacle?.(environment) ?? [], missing?.(environment) ?? [], lacks].flat() },
      ];
    const instead = `its own content here: the source ${synthetic.source} serves its targets instead`;
    return [
      { ...definition, lacks: [instead, ...lacks] },
      { ...definition, ...synthetic, lacks: ['content that people wrote: all of it is invented'] },
    ];
  }

  private async recognise(
    workspaceId: string,
    url: URL,
  ): Promise<(ResolvedTarget & { source: string }) | null> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await this.platforms.recognise(url, {
        signal,
        workspaceId,
        priority: 'high',
        isBrief: true,
        onRequest: () => undefined,
      });
    } catch (error) {
      if (error instanceof PlatformError)
        throw refused(`url could not be looked up: ${error.message}. Write the target as GET /sources says`);
      if (signal.aborted)
        throw refused(
          `url could not be looked up: ${url.host} did not answer within ${TIMEOUT_MS / 1_000} seconds. Try again later, or write the target as GET /sources says`,
        );
      throw error;
    }
  }
}

function refused(message: string): Problem {
  return Problem.validation([{ field: 'url', message }]);
}
