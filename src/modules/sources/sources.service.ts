import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problem.js';
import { SOURCES } from '../../platforms/registry.js';
import { type ResolvedTargetDto, SourceDto, type SourceListDto } from './dto/source.dto.js';

/** Describes the sources, and finds the target at an address. */
@Injectable()
export class SourcesService {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  /** All sources of this service, in the order of registration. */
  list(): SourceListDto {
    return {
      sources: SOURCES.all.map((definition) => {
        const { limit } = definition.budget(this.environment, null);
        return SourceDto.from(definition, {
          requests: limit.requests,
          window_seconds: limit.withinMs / 1_000,
          per_site: definition.hasSites,
        });
      }),
    };
  }

  /** Throws 400 for a text that is not an address, or that no source has. */
  resolve(text: string): ResolvedTargetDto {
    const written = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
    if (!URL.canParse(written) || !/^https?:/i.test(written))
      throw refused('url must be the address of a page, such as https://www.reddit.com/r/technology');
    const found = SOURCES.resolve(written);
    if (found !== null) {
      const { target, targetType, name, source } = found;
      return { target, target_type: targetType, source, name };
    }
    const names = SOURCES.all.map(({ name }) => name).join(', ');
    throw refused(`url is not the address of a forum or user of a known source: ${names}. See GET /sources`);
  }
}

function refused(message: string): Problem {
  return Problem.validation([{ field: 'url', message }]);
}
