import { IntersectionType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { CursorPageDto } from '../../../http/pages/page.dto.js';
import { BooleanFromQuery, IntegerFromQuery } from '../../../http/parameters/query-transforms.js';
import { POST_TYPES } from '../../../platforms/platform.js';
import type { ChoiceValue } from '../../../search/choice.js';
import { Choices } from '../../../search/dto/choices.decorator.js';
import { RecordViewDto } from '../../../search/dto/full-view.dto.js';
import { SuggestDto } from '../../../search/dto/suggest.dto.js';
import { INT32_MAX, SearchFilterDto } from '../../../search/dto/search-filter.dto.js';
import { SORT_ORDERS, type SortOrder } from '../../../search/searched-table.js';
import { POST_SORTS, type PostSort } from '../post-filter.js';

export class PostFilterDto extends SearchFilterDto {
  /** May be repeated (any of them); `!value` excludes one. */
  @Choices({ values: POST_TYPES })
  post_type?: ChoiceValue;

  /** May be repeated (any of them); `!value` excludes one. */
  @Choices()
  flair?: ChoiceValue;

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

  /** One of the post's extracted keywords, exactly. May be repeated (any of them); `!value` excludes one. */
  @Choices()
  keyword?: ChoiceValue;

  /** `relevance` needs `q`. */
  @IsOptional()
  @IsIn(POST_SORTS)
  sort_by?: PostSort = 'created_utc';

  @IsOptional()
  @IsIn(SORT_ORDERS)
  sort_order?: SortOrder = 'desc';
}

export class ListPostsDto extends IntersectionType(PostFilterDto, CursorPageDto, RecordViewDto, SuggestDto) {
  /** Adds `highlights` to each item: HTML-escaped fragments with `<mark>` around the words of `q`. */
  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  highlight?: boolean;
}
