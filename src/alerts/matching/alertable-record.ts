import { detectLanguage } from '../../text/language/detect-language.js';
import { isCaseSensitiveAuthor } from '../../platforms/author-case.js';
import { SOURCES } from '../../platforms/registry.js';
import { isPromotionalComment, isPromotionalPost } from '../../content/promotion/is-promotion.js';
import type { CommentRecord } from '../../content/comments/comment.entity.js';
import type { PostRecord } from '../../content/posts/post.entity.js';
import type { MatchedRecord } from '../../search/matching/matched-record.js';

/** The fields of a post that alerts compare; a query finds nothing by those that are absent. */
export type MatchablePost = Pick<
  PostRecord,
  'id' | 'forum' | 'title' | 'selftext' | 'author' | 'createdUtc'
> &
  Partial<
    Pick<
      PostRecord,
      | 'url'
      | 'score'
      | 'numComments'
      | 'upvoteRatio'
      | 'flair'
      | 'keywords'
      | 'postType'
      | 'sentimentLabel'
      | 'isNsfw'
      | 'isSpoiler'
      | 'hasMedia'
      | 'language'
      | 'isPromotion'
    >
  >;

/** The fields of a comment that alerts compare; `forum` is that of its post. */
export type MatchableComment = Pick<CommentRecord, 'commentId' | 'body' | 'author' | 'createdUtc'> & {
  forum: string;
} & Partial<Pick<CommentRecord, 'score' | 'sentimentLabel' | 'language' | 'isPromotion'>>;

/** A post as queries compare it. */
export function recordOf(post: MatchablePost): MatchedRecord {
  const { title, selftext, forum, author, createdUtc, flair, keywords, numComments } = post;
  const language = detectLanguage(`${title}\n${selftext}`);
  return {
    texts: { title, text: selftext },
    language,
    isAuthorCaseSensitive: isCaseSensitiveAuthor(post.id, author),
    values: {
      lang: post.language ?? language,
      source: SOURCES.sourceOf(post.id),
      forum,
      author,
      flair,
      keyword: keywords,
      type: post.postType,
      sentiment: post.sentimentLabel,
    },
    numbers: {
      score: post.score,
      comments: numComments,
      ratio: post.upvoteRatio,
      created: createdUtc.getTime(),
    },
    flags: {
      'is:nsfw': post.isNsfw,
      'is:spoiler': post.isSpoiler,
      // Read only for queries that ask.
      get 'is:promotion'() {
        return post.isPromotion ?? isPromotionalPost(post);
      },
      'has:media': post.hasMedia,
      'has:comments': numComments === undefined ? undefined : numComments > 0,
    },
  };
}

/** A comment as queries compare it: its body is its text. */
export function recordOfComment(comment: MatchableComment): MatchedRecord {
  const { body, forum, author, score, createdUtc, sentimentLabel } = comment;
  const language = detectLanguage(body);
  return {
    texts: { title: '', text: body },
    language,
    isAuthorCaseSensitive: isCaseSensitiveAuthor(comment.commentId, author),
    values: {
      lang: comment.language ?? language,
      source: SOURCES.sourceOf(comment.commentId),
      forum,
      author,
      sentiment: sentimentLabel,
    },
    numbers: { score, created: createdUtc.getTime() },
    flags: {
      get 'is:promotion'() {
        return comment.isPromotion ?? isPromotionalComment(comment);
      },
    },
  };
}
