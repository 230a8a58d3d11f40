import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { goneReason } from '../../platforms/deleted-content.js';
import { SOURCES } from '../../platforms/registry.js';

/** Shown fields of a post or comment: those of the interface, or further ones besides. */
export const RECORD_VIEWS = ['list', 'full'] as const;
export type RecordView = (typeof RECORD_VIEWS)[number];

/** Who set a sentiment label. */
export const SENTIMENT_SOURCES = ['model', 'person'] as const;
export type SentimentSource = (typeof SENTIMENT_SOURCES)[number];

export class RecordViewDto {
  /** `full` adds `language`, `source`, `is_deleted` and `sentiment_source`, to posts `unknown`, to comments `post`. */
  @IsOptional()
  @IsIn(RECORD_VIEWS)
  view?: RecordView = 'list';
}

/** Fields that records have only with `view=full`. */
export class FullViewDto {
  /** BCP 47 primary language; `und` when it cannot be known. Only with `view=full`. */
  language?: string;
  /** Name of the source, as in `GET /sources`. Only with `view=full`. */
  source?: string;
  /** Whether its text was deleted or removed on the platform, or its author is gone. Only with `view=full`. */
  is_deleted?: boolean;
  /** Who set `sentiment_label`: the model that computes it, or a person of the workspace. Only with `view=full`. */
  @ApiProperty({ enum: SENTIMENT_SOURCES, required: false })
  sentiment_source?: SentimentSource;
}

/** The further fields of a record with this platform id. */
export function fullView(
  id: string,
  {
    language = 'und',
    author,
    modelLabel = null,
  }: { language?: string; author: string; modelLabel?: string | null },
  texts: readonly string[],
): Required<FullViewDto> {
  return {
    language,
    source: SOURCES.sourceOf(id),
    is_deleted: goneReason(texts, author) !== null,
    sentiment_source: modelLabel === null ? 'model' : 'person',
  };
}
