import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { mapInSlices } from '../../common/slices.js';
import type { SpikeDto } from '../../content/analytics/dto/spikes.dto.js';
import { SPIKE_BUCKET_MS } from '../../content/analytics/spike-series.js';
import { SpikesService } from '../../content/analytics/spikes.service.js';
import type { CommentRecord } from '../../content/comments/comment.entity.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { spikeOf } from '../alert/alert-condition.dto.js';
import type { DraftAlertDto } from '../alert/alert.dto.js';
import { watches } from '../alert/alert-scope.js';
import type { SpikeSettings } from '../alert/spike-settings.js';
import { AlertMatcher } from '../matching/alert-matcher.js';
import { recordOf, recordOfComment } from '../matching/alertable-record.js';
import { refuseSeries, seriesOf } from '../spikes/spike-condition.js';
import type { AlertPreviewDto, PreviewCommentDto } from './alert-match.dto.js';
import { toMatch } from './matched-posts.js';

/** Maximum number of posts, and of comments, that a preview matches and of matches that it returns. */
const PREVIEW_RECORDS = 1_000;
const PREVIEW_MATCHES = 100;
/** Newest buckets in which a preview finds spikes; as many or more before them are learned from. */
const PREVIEWED_BUCKETS = 336;

/** Previews drafts of alerts. */
@Injectable()
export class AlertPreviewsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly spikes: SpikesService,
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
    const spike = spikeOf(draft.condition);
    return {
      ...(spike !== null && { spikes: await this.previewSpikes(workspaceId, draft, spike) }),
      posts_scanned: posts.length,
      total: foundPosts.flat().length,
      matches: foundPosts.flat().slice(0, PREVIEW_MATCHES),
      comments_scanned: comments.length,
      comments_total: foundComments.flat().length,
      comments: foundComments.flat().slice(0, PREVIEW_MATCHES),
    };
  }

  private async previewSpikes(
    workspaceId: string,
    { keywords = [], query = null, forums = [], of = 'posts' }: DraftAlertDto,
    spike: SpikeSettings,
  ): Promise<SpikeDto[]> {
    const watching = { keywords, query, forums, of, spike, delivery: null };
    refuseSeries(watching);
    const now = this.clock.now();
    const since = new Date(now.getTime() - PREVIEWED_BUCKETS * SPIKE_BUCKET_MS[spike.interval]);
    return (await this.spikes.watch(workspaceId, seriesOf(watching), since, now)).spikes;
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
