import type { SentimentLabel } from '../../../enrichment/enrichment.js';
import { CommentDto } from '../../../content/comments/dto/comment.dto.js';
import { PostDto } from '../../../content/posts/dto/post.dto.js';
import type { SentimentSource } from '../../../search/dto/full-view.dto.js';

/** A post in a file: its record, then the fields that only files have. */
export class ExportedPostDto extends PostDto {
  /** BCP 47 primary language; `und` when it cannot be known. */
  language: string;
  /** The label that the model computed, also where a person set `sentiment_label`. */
  model_label: SentimentLabel;
  /** `model`, or `person` where a person set `sentiment_label`. */
  sentiment_source: SentimentSource;
}

/** A comment in a file: its record, then the fields that only files have. */
export class ExportedCommentDto extends CommentDto {
  /** BCP 47 primary language; `und` when it cannot be known. */
  language: string;
  /** The label that the model computed, also where a person set `sentiment_label`. */
  model_label: SentimentLabel;
  /** `model`, or `person` where a person set `sentiment_label`. */
  sentiment_source: SentimentSource;
}
