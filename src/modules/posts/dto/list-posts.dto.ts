import { IntersectionType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { MaxLength } from '../../../http/text-length.js';
import { CursorPageDto } from '../../../http/page.dto.js';
import { BooleanFromQuery, IntegerFromQuery } from '../../../http/query-transforms.js';
import { POST_TYPES, type PostType } from '../../../platforms/platform.js';
import { INT32_MAX, SearchFilterDto } from '../../search/dto/search-filter.dto.js';
import { SORT_ORDERS, type SortOrder } from '../../search/searched-table.js';
import { POST_SORTS, type PostSort } from '../post-filter.js';

export class PostFilterDto extends SearchFilterDto {
  @IsOptional()
  @IsIn(POST_TYPES)
  post_type?: PostType;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  flair?: string;

  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  is_nsfw?: boolean;

  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  has_media?: boolean;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  min_comments?: number;

  /** One of the post's extracted keywords, exactly. */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  keyword?: string;

  /** `relevance` needs `q`. */
  @IsOptional()
  @IsIn(POST_SORTS)
  sort_by?: PostSort = 'created_utc';

  @IsOptional()
  @IsIn(SORT_ORDERS)
  sort_order?: SortOrder = 'desc';
}

export class ListPostsDto extends IntersectionType(PostFilterDto, CursorPageDto) {
  /** Adds `highlights` to each item: HTML-escaped fragments with `<mark>` around the words of `q`. */
  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  highlight?: boolean;
}
