import { beginningOf } from '../../common/strings.js';
import { Injectable } from '@nestjs/common';
import { selectList } from '../../database/entity-columns.js';
import { COMMENT_SEARCH } from '../../content/comments/comment-filter.js';
import type { CommentRecord } from '../../content/comments/comment.entity.js';
import { linkOf } from '../../messages/channels/message-text.js';
import { POST_SEARCH } from '../../content/posts/post-filter.js';
import type { PostRecord } from '../../content/posts/post.entity.js';
import { SearchService } from '../../search/search.service.js';
import type { SavedSearch } from '../searches/saved-search.entity.js';
import type { FeedItem } from './feed-documents.js';

/** Number of entries of a feed. */
const NEWEST = 50;
/** Characters of a comment that are its title. */
const TITLE = 100;

const POST_PROPERTIES = [
  ...(['id', 'title', 'selftext', 'url', 'author', 'forum', 'createdUtc', 'permalink'] as const),
];
const COMMENT_PROPERTIES = [
  ...(['commentId', 'body', 'author', 'forum', 'createdUtc', 'postId', 'postPermalink'] as const),
];
type PostRow = Pick<PostRecord, (typeof POST_PROPERTIES)[number]>;
type CommentRow = Pick<Required<CommentRecord>, (typeof COMMENT_PROPERTIES)[number]>;

/** The newest posts or comments that a saved search finds. */
@Injectable()
export class FeedItems {
  constructor(private readonly searches: SearchService) {}

  /** At most 50, newest first, those of one time in the order of their ids. */
  async newest(workspaceId: string, search: Pick<SavedSearch, 'of' | 'q' | 'filters'>): Promise<FeedItem[]> {
    const filter = { ...search.filters, ...(search.q !== null && { q: search.q }) };
    const page = async <Row extends object>(properties: readonly string[], isOfPosts: boolean) =>
      (
        await this.searches.page<Row>({
          table: isOfPosts ? POST_SEARCH : COMMENT_SEARCH,
          workspaceId,
          columns: selectList(properties),
          filter,
          order: { sort_by: 'created_utc', sort_order: 'desc' },
          after: null,
          limit: NEWEST,
        })
      ).rows;
    return search.of === 'posts'
      ? (await page<PostRow>(POST_PROPERTIES, true)).map(ofPost)
      : (await page<CommentRow>(COMMENT_PROPERTIES, false)).map(ofComment);
  }
}

/** A post without a text has the address that it links. */
const ofPost = ({ selftext, url, ...row }: PostRow): FeedItem => ({
  ...row,
  body: selftext || (url ?? ''),
  link: linkOf(row),
});

const ofComment = (row: CommentRow): FeedItem => ({
  ...row,
  id: row.commentId,
  title: beginningOf(row.body, TITLE),
  link: linkOf({ id: row.postId, permalink: row.postPermalink }),
});
