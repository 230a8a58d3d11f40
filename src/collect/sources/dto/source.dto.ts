import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Length } from '../../../http/parameters/text-length.js';
import type { PlatformDefinition } from '../../../platforms/platform-definition.js';
import type { TargetType } from '../../../platforms/platform.js';

/** One way to write a target of a source. */
export class TargetFormDto {
  /** Variable parts are in capitals. */
  form: string;
  example: string;
  target_type: TargetType;
  /** Contents of such a target. */
  description: string;
}

/** How many requests all workers together send to a source. */
export class SourceLimitDto {
  requests: number;
  window_seconds: number;
  /** Whether the limit holds for each site by itself. */
  per_site: boolean;
}

/** How the ids of a source's posts and comments begin. */
export class IdPrefixesDto {
  post: string;
  comment: string;
}

/** How queries `listen` to a source. */
export class SourceListeningDto {
  /** Variable parts are in capitals. */
  form: string;
  example: string;
}

/** Meaning of the modes of jobs for a source. */
export class SourceModesDto {
  full: string;
  history: string;
  monitor: string;
}

const MODES: SourceModesDto = {
  full: 'posts from the newest on, with their comments',
  history: 'the posts of mode full',
  monitor: 'posts from the newest on, until all posts of a page are already stored',
};

export class SourceDto {
  /** As in the progress of jobs. */
  source: string;
  name: string;
  targets: TargetFormDto[];
  /** Null when queries cannot listen to it. */
  @ApiProperty({ type: SourceListeningDto, nullable: true })
  listen: SourceListeningDto | null;
  id_prefixes: IdPrefixesDto;
  /** Origin of the addresses of posts, to which `permalink` is appended; `{site}` stands for the site within the post's id. */
  origin: string;
  limit: SourceLimitDto;
  modes: SourceModesDto;
  /** Parts that its content lacks in comparison. */
  lacks: string[];

  static from(definition: PlatformDefinition, limit: SourceLimitDto): SourceDto {
    const { source, name, targets, listening, ids, origin, modes, lacks } = definition;
    return {
      source,
      name,
      targets: targets.map(({ form, example, targetType, description }) => ({
        form,
        example,
        target_type: targetType,
        description,
      })),
      listen: listening === undefined ? null : { form: listening.form, example: listening.example },
      id_prefixes: { post: ids.post, comment: ids.comment },
      origin,
      limit,
      modes: { ...MODES, ...modes },
      lacks: [...lacks],
    };
  }
}

export class SourceListDto {
  sources: SourceDto[];
}

export class ResolveTargetDto {
  /** An address that was copied from a browser: of a forum, a user, a tag or a search. */
  @IsString()
  @Length(1, 2_000)
  url: string;
}

/** A target, as jobs, schedules and alerts accept it. */
export class ResolvedTargetDto {
  target: string;
  target_type: TargetType;
  source: string;
  name: string;
}
