import { CommentDto } from '../../../content/comments/dto/comment.dto.js';
import { PostDto } from '../../../content/posts/dto/post.dto.js';

/** A post in a file: its record, then the fields that only files have. */
export class ExportedPostDto extends PostDto {
  /** BCP 47 primary language; `und` when it cannot be known. */
  language: string;
}

/** A comment in a file: its record, then the fields that only files have. */
export class ExportedCommentDto extends CommentDto {
  /** BCP 47 primary language; `und` when it cannot be known. */
  language: string;
}
