import { IsIn, IsOptional, IsString } from 'class-validator';
import { CursorPageDto } from '../../http/pages/page.dto.js';
import { PickType, IntersectionType } from '@nestjs/swagger';
import { InstantFromQuery } from '../../http/parameters/query-transforms.js';
import { MaxLength } from '../../http/parameters/text-length.js';
import { AnalyticsFilterDto, SUBJECTS } from '../analytics/dto/analytics.dto.js';
import { CommentDto } from '../comments/dto/comment.dto.js';
import { PostDto } from '../posts/dto/post.dto.js';

/** What stories are made of. */
export const STORY_SCOPES = [...SUBJECTS, 'all'] as const;
export type StoryScope = (typeof STORY_SCOPES)[number];

export class StoriesQueryDto extends IntersectionType(
  AnalyticsFilterDto,
  PickType(CursorPageDto, ['cursor']),
) {
  @IsOptional()
  @IsIn(STORY_SCOPES)
  of?: StoryScope = 'posts';

  /** Only what matches this alert. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  alert_id?: string;

  /** Only what was created at or after this time; 30 days ago by default. */
  @IsOptional()
  @InstantFromQuery()
  since?: string;
}

export class StoryPostsQueryDto extends PickType(CursorPageDto, ['cursor']) {}

/** Posts or comments about the same event or subject. */
export class StoryDto {
  id: string;

  /** Title of its most telling post, or the beginning of its most telling comment. */
  title: string;

  /** Number of posts or comments. */
  size: number;

  first_at: Date;

  last_at: Date;

  /** Most frequent first. */
  sources: string[];

  /** Most frequent first. */
  forums: string[];

  /** Posts or comments of the last 24 hours, less those of the 24 hours before. */
  growth: number;

  /** Words that it has more than other texts, best first. */
  keywords: string[];

  /** Ids of the ten most telling posts or comments, reposts left out. */
  posts: string[];
}

export class StoriesDto {
  /** Largest first. */
  stories: StoryDto[];

  /** Number of older posts or comments that were not read; the newest 10,000 are. */
  left_out: number;

  /** Empty on the last page. */
  cursor: string;

  has_more: boolean;
}

/** Posts of a story, or comments of a story of comments. */
export class StoryPostsDto {
  posts: PostDto[];

  comments: CommentDto[];

  /** Empty on the last page. */
  cursor: string;

  has_more: boolean;
}
