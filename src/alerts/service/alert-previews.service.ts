import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { mapInSlices } from '../../common/slices.js';
import { SPIKE_BUCKET_MS } from '../../content/analytics/spike-series.js';
import { SpikesService } from '../../content/analytics/spikes.service.js';
import { StoriesService } from '../../content/stories/stories.service.js';
import { toStoryDto } from '../../content/stories/shown-story.js';
import type { CommentRecord } from '../../content/comments/comment.entity.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { spikeOf, storyOf } from '../alert/alert-condition.dto.js';
import type { DraftAlertDto } from '../alert/alert.dto.js';
import { watches } from '../alert/alert-scope.js';
import { AlertMatcher } from '../matching/alert-matcher.js';
import { recordOf, recordOfComment } from '../matching/alertable-record.js';
import { refuseSeries, seriesOf } from '../conditions/spike-condition.js';
import { largeStories, storiesOf } from '../conditions/story-condition.js';
import type { AlertPreviewDto, PreviewCommentDto } from './alert-match.dto.js';
import { toMatch } from './matched-posts.js';

/** Maximum number of posts, and of comments, that a preview matches and of matches that it returns. */
const PREVIEW_RECORDS = 1_000;
const PREVIEW_MATCHES = 100;
/** Newest buckets in which a preview finds spikes; as many or more before them are learned from. */
const PREVIEWED_BUCKETS = 336;
const PREVIEW_STORIES = 50;

/** Previews drafts of alerts. */
@Injectable()
export class AlertPreviewsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly spikes: SpikesService,
    private readonly stories: StoriesService,
    private readonly clock: Clock,
  ) {}

  /** The matches that a draft would have had among the newest stored posts and comments. */
  async preview(workspaceId: string, draft: DraftAlertDto): Promise<AlertPreviewDto> {
    const { forums = [], keywords = [], query, of = 'posts' } = draft;
    const matcher = await AlertMatcher.compile([{ id: 'draft', keywords, query, forums }]);
    const posts = watches(of, 'posts') ? await this.posts.newest(workspaceId, forums, PREVIEW_RECORDS) : [];
    const comments = watches(of, 'comments')
      ? await this.comments.newest(workspaceId, forums, PREVIEW_RECORDS)
      : [];
    const foundPosts = await mapInSlices(posts, (post) =>
      matcher.match(recordOf(post)).map((found) => toMatch(post, found.keywords)),
    );
    const foundComments = await mapInSlices(comments, (comment) =>
      matcher.match(recordOfComment(comment)).map((found) => toComment(comment, found.keywords)),
    );
    return {
      ...(await this.previewCondition(workspaceId, draft)),
      posts_scanned: posts.length,
      total: foundPosts.flat().length,
      matches: foundPosts.flat().slice(0, PREVIEW_MATCHES),
      comments_scanned: comments.length,
      comments_total: foundComments.flat().length,
      comments: foundComments.flat().slice(0, PREVIEW_MATCHES),
    };
  }

  /** The spikes or stories that would have triggered a draft with such a condition. */
  private async previewCondition(
    workspaceId: string,
    { keywords = [], query = null, forums = [], of = 'posts', condition }: DraftAlertDto,
  ): Promise<Pick<AlertPreviewDto, 'spikes' | 'stories'>> {
    const [spike, story] = [spikeOf(condition), storyOf(condition)];
    const watching = { keywords, query, forums, of, spike, story, delivery: null };
    refuseSeries(watching);
    if (story !== null) {
      const { stories } = await this.stories.find(workspaceId, storiesOf(watching));
      return { stories: largeStories(stories).slice(0, PREVIEW_STORIES).map(toStoryDto) };
    }
    if (spike === null) return {};
    const now = this.clock.now();
    const since = new Date(now.getTime() - PREVIEWED_BUCKETS * SPIKE_BUCKET_MS[spike.interval]);
    const { spikes } = await this.spikes.watch(workspaceId, seriesOf({ ...watching, spike }), since, now);
    return { spikes };
  }
}

function toComment(comment: CommentRecord & { forum: string }, keywords: string[]): PreviewCommentDto {
  return {
    comment_id: comment.commentId,
    post_id: comment.postId,
    forum: comment.forum,
    author: comment.author,
    created_utc: comment.createdUtc,
    post_permalink: comment.postPermalink,
    body: comment.body,
    keywords,
  };
}
