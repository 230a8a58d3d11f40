import { IntersectionType, PickType } from '@nestjs/swagger';
import { fieldReader, fieldsOf } from '../../../http/parameters/dto-fields.js';
import { publicId } from '../../../common/ids.js';
import type { SentimentLabel } from '../../../enrichment/enrichment.js';
import type { PostType } from '../../../platforms/platform.js';
import { SuggestionsDto } from '../../../search/dto/suggest.dto.js';
import { FullViewDto } from '../../../search/dto/full-view.dto.js';

export class PostDto {
  /** Platform id, `t3_…` or `hn_…`. */
  id: string;
  workspace_id: string;
  forum: string;
  title: string;
  author: string;
  created_utc: Date;
  /** Path on the platform. */
  permalink: string;
  url: string | null;
  score: number;
  /** Fraction in [0, 1]. */
  upvote_ratio: number;
  num_comments: number;
  selftext: string;
  post_type: PostType;
  is_nsfw: boolean;
  is_spoiler: boolean;
  flair: string;
  total_awards: number;
  has_media: boolean;
  media_urls: string[];
  /** In [-1, 1]. */
  sentiment_score: number;
  sentiment_label: SentimentLabel;
  keywords: string[];
  scraped_at: Date;
}

/** Fields of a post, in the order in which the interface lists them. */
export const POST_FIELDS = fieldsOf(PostDto);

/** Fields of a post in a list, in the order in which the interface lists them. */
export const POST_LIST_FIELDS = [
  'id',
  'forum',
  'title',
  'author',
  'created_utc',
  'score',
  'upvote_ratio',
  'num_comments',
  'selftext',
  'post_type',
  'sentiment_label',
  'sentiment_score',
] as const satisfies readonly (keyof PostDto)[];

/** Fragments of a post's texts in which words of `q` were found. */
export class PostHighlightsDto {
  title?: string;
  selftext?: string;
}

/** Fields that posts have only with `view=full`. */
class PostFullViewDto extends FullViewDto {
  /** Names of the fields that the source does not tell; their values mean nothing. Only with `view=full`. */
  unknown?: string[];
}

class PostSummaryDto extends PickType(PostDto, POST_LIST_FIELDS) {}

export class PostListItemDto extends IntersectionType(PostSummaryDto, PostFullViewDto) {
  /** Only with `highlight=true`. */
  highlights?: PostHighlightsDto;
}

/** A post with the fields that `view=full` adds. */
export class PostViewDto extends IntersectionType(PostDto, PostFullViewDto) {}

/** Converts a stored post to the list format of the interface. */
export const toListItem = fieldReader<PostSummaryDto>(POST_LIST_FIELDS);

const readPost = fieldReader<PostDto>(POST_FIELDS);

/** Converts a stored post to the format of the interface. */
export function toPostDto(row: Parameters<typeof readPost>[0]): PostDto {
  const post = readPost(row);
  post.workspace_id = publicId('workspace', row.workspaceId);
  return post;
}

export class PostPageDto extends SuggestionsDto {
  posts: PostListItemDto[];
  /** All posts that match the filters. */
  total: number;
  /** Position after the last item. Send it as `cursor` to get the next page. */
  cursor: string;
  has_more: boolean;
}

export class ForumCountDto {
  forum: string;
  post_count: number;
}

/** A post's score, upvote ratio and number of comments, valid from a given time. */
export class PostScoreDto {
  /** When a scrape first saw these values. */
  seen_at: Date;
  score: number;
  /** In [0, 1]. */
  upvote_ratio: number;
  num_comments: number;
}

export class PostHistoryDto {
  /** Oldest first; contains at least the current values. */
  history: PostScoreDto[];
}
