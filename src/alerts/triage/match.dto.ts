import { applyDecorators } from '@nestjs/common';
import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { fieldReader, fieldsOf } from '../../http/parameters/dto-fields.js';
import { CursorPageDto } from '../../http/pages/page.dto.js';
import { Length, MaxLength } from '../../http/parameters/text-length.js';
import { CommentWithPostDto } from '../../content/comments/dto/comment.dto.js';
import { PostDto } from '../../content/posts/dto/post.dto.js';
import { MATCH_ORDERS, type MatchOrder } from './match-order.js';
import { NumberFromQuery } from '../../http/parameters/query-transforms.js';
import { ALERT_SCOPES, type AlertScope } from '../alert/alert-scope.js';
import { MAX_REASON_LENGTH } from '../matching/second-reading.js';
import {
  MATCH_STATES,
  type MatchState,
  MAX_IDS,
  MAX_LABEL_LENGTH,
  MAX_LABELS,
  MAX_NOTE_LENGTH,
} from '../matching/match-state.js';

const Labels = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      required: false,
      maxItems: MAX_LABELS,
      items: { type: 'string', minLength: 1, maxLength: MAX_LABEL_LENGTH },
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_LABELS),
    IsString({ each: true }),
    Length(1, MAX_LABEL_LENGTH, { each: true }),
  );

export class UpdateMatchDto {
  @IsOptional()
  @IsIn(MATCH_STATES)
  state?: MatchState;

  /** Replaces all labels. */
  @Labels()
  labels?: string[];

  /** Replaces the note; an empty text removes it. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NOTE_LENGTH)
  note?: string;
}

/** Which matches a request lists or changes. */
export class MatchFilterDto {
  /** Only matches of this alert. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  alert_id?: string;

  @IsOptional()
  @IsIn(MATCH_STATES)
  state?: MatchState;

  /** Only matches with this label. */
  @IsOptional()
  @IsString()
  @Length(1, MAX_LABEL_LENGTH)
  label?: string;

  /** Kind of the matched record. */
  @IsOptional()
  @IsIn(ALERT_SCOPES)
  of?: AlertScope = 'all';
}

/** Fields of matches: the usual ones, or what is known of their authors besides. */
export const MATCH_VIEWS = ['list', 'full'] as const;

export class ListMatchesDto extends IntersectionType(CursorPageDto, MatchFilterDto) {
  /** `relevance`: the most relevant first; `uncertainty`: those first whose decision would teach most. */
  @IsOptional()
  @IsIn(MATCH_ORDERS)
  sort_by?: MatchOrder = 'matched_at';

  /** `full` adds `speaker`, and to comments their `post`. */
  @IsOptional()
  @IsIn(MATCH_VIEWS)
  view?: (typeof MATCH_VIEWS)[number] = 'list';

  /** Only matches with at least this relevance, and those without any. */
  @ApiProperty({ type: Number, required: false, minimum: 0, maximum: 1 })
  @IsOptional()
  @NumberFromQuery()
  @IsNumber()
  @Min(0)
  @Max(1)
  min_relevance?: number;
}

export class ChangeMatchesDto {
  /** The matches to change. Either these or a `filter`. */
  @ApiProperty({
    required: false,
    minItems: 1,
    maxItems: MAX_IDS,
    items: { type: 'string', minLength: 1, maxLength: 64 },
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_IDS)
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  ids?: string[];

  /** As in the list of matches; an empty object means all. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => MatchFilterDto)
  filter?: MatchFilterDto;

  @IsOptional()
  @IsIn(MATCH_STATES)
  state?: MatchState;

  /** A match that would have more than 20 labels stays as it is. */
  @Labels()
  add_labels?: string[];

  @Labels()
  remove_labels?: string[];
}

/** A word of a text that speaks for its relevance, or against it. */
export class MatchReasonDto {
  feature: string;
  /** What it adds to the logarithm of the odds. */
  weight: number;
}

/** The answer of the operator's language model to the question of the alert. */
export class SecondReadingDto {
  /** Whether the answer was yes. */
  relevant: boolean;
  /** Written by the model. */
  @ApiProperty({ type: String, maxLength: MAX_REASON_LENGTH })
  reason: string;
}

/** What the workspace has of an author, in one source. */
export class SpeakerDto {
  /** Number of stored posts; 200 for more. */
  posts: number;
  /** Number of stored comments; 200 for more. */
  comments: number;
  /** When the oldest of them was written. */
  first_seen_at: Date;
  /** Number of different days (UTC) on which those counted were written. */
  active_days: number;
  /** The share of those counted that `is:promotion` finds. */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1 })
  promotional_share: number;
}

/** Converts what is known of an author to the format of the interface. */
export const toSpeakerDto = fieldReader<SpeakerDto>(fieldsOf(SpeakerDto));

export class MatchDto {
  /** `match_…`. */
  id: string;
  alert_id: string;
  matched_at: Date;
  @ApiProperty({ enum: MATCH_STATES })
  state: MatchState;
  /** Sorted. */
  labels: string[];
  note: string;
  /** Number of further posts or comments that were folded into this match. */
  duplicates: number;
  /** The alert's keywords that were found, as sent; none for a match of its query. */
  keywords: string[];
  /** The probability that it is relevant, learned from kept and dismissed matches of the alert; null before ten of them with three of each kind. */
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  relevance: number | null;
  /** Up to five words, the strongest first; null like `relevance`. */
  @ApiProperty({ type: [MatchReasonDto], nullable: true })
  reasons: MatchReasonDto[] | null;
  /** Only where the relevance was uncertain and the alert had a question. */
  @ApiProperty({ type: SecondReadingDto, required: false })
  second_reading?: SecondReadingDto;
  /** The post that matched; null when it is no longer stored. */
  @ApiProperty({ type: PostDto, nullable: true, required: false })
  post?: PostDto | null;
  /** The comment that matched; null when it is no longer stored. */
  @ApiProperty({ type: CommentWithPostDto, nullable: true, required: false })
  comment?: CommentWithPostDto | null;
  /** Its author; null when it is no longer stored or its account is gone. Only with `view=full` of the list. */
  @ApiProperty({ type: SpeakerDto, nullable: true, required: false })
  speaker?: SpeakerDto | null;
}

/** Number of matches by state. */
export class MatchCountsDto implements Record<MatchState, number> {
  new: number;
  seen: number;
  kept: number;
  dismissed: number;
}

export class MatchPageDto {
  matches: MatchDto[];
  /** All matches that the filters select. */
  total: number;
  /** The same filters, counted by state; `state` has no effect here. */
  counts: MatchCountsDto;
  /** Position after the last item. */
  cursor: string;
  has_more: boolean;
}

export class ChangedMatchesDto {
  /** Number of matches that changed. */
  changed: number;
}
