import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { Length, MaxLength } from '../../../http/parameters/text-length.js';
import { SUBJECT_KINDS, type SubjectKind } from '../../../tenants/ports/erasure-subject.js';
import { type Erasure, noneRemoved } from '../erasure.entity.js';

const STATUSES = ['pending', 'running', 'completed'] as const;

export class CreateErasureDto {
  /** Name of the source, as in List Sources; every source if omitted. Posts and comments need none. */
  @IsOptional()
  @IsString()
  @Length(1, 64)
  source?: string;

  /** Erases all posts and comments of this account. Exactly one of `author`, `post_id`, `comment_id` is required. */
  @IsOptional()
  @IsString()
  @Length(1, 255)
  author?: string;

  /** Erases this post with its comments and files. */
  @IsOptional()
  @IsString()
  @Length(1, 255)
  post_id?: string;

  /** Erases this comment. Replies to it are kept. */
  @IsOptional()
  @IsString()
  @Length(1, 255)
  comment_id?: string;

  /** Why, for the record. It is kept, so it must not name the account. */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  reason?: string;

  /** Whether scrapes and imports must not store the content again. */
  @IsOptional()
  @IsBoolean()
  suppress?: boolean = true;
}

/** Numbers of rows and files that were removed so far. */
export class RemovedDto {
  posts: number;
  comments: number;
  media: number;
  /** Matches of alerts. */
  matches: number;
  /** Events of webhooks and alerts that were rewritten without the content. */
  events: number;
  /** Exports whose files were removed. */
  exports: number;
  /** Jobs of the account whose target was removed. */
  jobs: number;
  /** Schedules of the account. */
  schedules: number;
  /** Stored responses to requests with an idempotency key. */
  responses: number;
  /** Rows of datasets. */
  dataset_rows: number;
}

export class ErasureDto {
  /** `erasure_…`. */
  id: string;
  @ApiProperty({ enum: SUBJECT_KINDS })
  kind: SubjectKind;
  source: string | null;
  reason: string;
  suppress: boolean;
  suppression_id: string | null;
  @ApiProperty({ enum: STATUSES })
  status: (typeof STATUSES)[number];
  removed: RemovedDto;
  created_at: Date;
  completed_at: Date | null;

  static from(erasure: Erasure): ErasureDto {
    return {
      id: publicId('erasure', erasure.id),
      kind: erasure.kind,
      source: erasure.source,
      reason: erasure.reason,
      suppress: erasure.suppress,
      suppression_id: erasure.suppressionId && publicId('suppression', erasure.suppressionId),
      status: erasure.completedAt !== null ? 'completed' : erasure.phase === 'begin' ? 'pending' : 'running',
      removed: { ...noneRemoved(), ...erasure.removed },
      created_at: erasure.createdAt,
      completed_at: erasure.completedAt,
    };
  }
}

export class ErasurePageDto {
  erasures: ErasureDto[];
  total: number;
  has_more: boolean;
}
