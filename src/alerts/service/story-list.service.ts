import { Injectable } from '@nestjs/common';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { toCommentDto } from '../../content/comments/dto/comment.dto.js';
import { toPostDto } from '../../content/posts/dto/post.dto.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { commentIdOf } from '../../content/comments/comment-keys.js';
import { StoriesService } from '../../content/stories/stories.service.js';
import { toStoryDto } from '../../content/stories/shown-story.js';
import type {
  StoriesDto,
  StoriesQueryDto,
  StoryPostsDto,
  StoryScope,
} from '../../content/stories/story.dto.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../../http/pages/cursor.js';
import { requireId } from '../../http/parameters/require-id.js';
import { Problem } from '../../http/problems/problem.js';
import { MAX_QUERY_LENGTH } from '../../search/query/parse-query.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { queryOf } from '../conditions/spike-condition.js';

const PAGE = 50;

/** Lists stories, also those of an alert's matches. */
@Injectable()
export class StoryListService {
  constructor(
    private readonly stories: StoriesService,
    private readonly alerts: AlertsRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
  ) {}

  /** Throws 404 for an unknown alert, and 400 for an alert whose keywords and query do not fit into one search. */
  async list(workspaceId: string, query: StoriesQueryDto): Promise<StoriesDto> {
    const { of: given, alert_id: alertId, since, cursor, ...filter } = query;
    const { of, q } =
      alertId === undefined
        ? { of: given ?? 'posts', q: filter.q }
        : await this.ofAlert(workspaceId, alertId, filter.q);
    const createdAfter = [since, filter.created_after]
      .filter((time) => time !== undefined)
      .sort()
      .at(-1);
    const request = { of, filter: { ...filter, q, created_after: createdAfter } };
    const scope = [workspaceId, request];
    const from = cursor ? positionOf(decodeCursor(cursor, scope)) : null;
    const found = await this.stories.find(workspaceId, request);
    const after =
      from === null
        ? found.stories
        : found.stories.filter(({ size, id }) => size < from.size || (size === from.size && id > from.id));
    const page = after.sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1)).slice(0, PAGE);
    const last = after.length > PAGE ? page.at(-1) : undefined;
    return {
      stories: page.map(toStoryDto),
      left_out: found.leftOut,
      cursor: last === undefined ? '' : encodeCursor([last.size, last.id], scope),
      has_more: last !== undefined,
    };
  }

  /** Throws 404 for a story that is not stored. */
  async listPosts(workspaceId: string, id: string, cursor?: string): Promise<StoryPostsDto> {
    const scope = [workspaceId, id];
    const [after] = cursor ? decodeCursor(cursor, scope) : [''];
    if (typeof after !== 'string') throw invalidCursor();
    const records = await this.stories.recordsOf(workspaceId, id, after, PAGE + 1);
    if (records.length === 0 && after === '') throw Problem.notFound('story');
    const page = records.slice(0, PAGE);
    const commentIds = page.map(commentIdOf).filter((one) => one !== null);
    const postIds = page.filter((key) => commentIdOf(key) === null);
    const [posts, comments] = await Promise.all([
      this.posts.findMany(workspaceId, postIds),
      this.comments.findMany(workspaceId, commentIds),
    ]);
    const last = records.length > PAGE ? page.at(-1) : undefined;
    return {
      posts: postIds.flatMap((one) => posts.get(one) ?? []).map(toPostDto),
      comments: commentIds.flatMap((one) => comments.get(one) ?? []).map(toCommentDto),
      cursor: last === undefined ? '' : encodeCursor([last], scope),
      has_more: last !== undefined,
    };
  }

  private async ofAlert(
    workspaceId: string,
    text: string,
    q?: string,
  ): Promise<{ of: StoryScope; q: string }> {
    const id = requireId('alert', text, 'alert_id');
    const alert = await this.alerts.find(workspaceId, id);
    if (alert === null) throw Problem.notFound('alert');
    const matching = q === undefined ? queryOf(alert) : `(${queryOf(alert)}) (${q})`;
    if (matching.length > MAX_QUERY_LENGTH)
      throw Problem.validation([
        {
          field: 'alert_id',
          message: `the keywords and query of the alert, with q, must have at most ${MAX_QUERY_LENGTH} characters together`,
        },
      ]);
    return { of: alert.of, q: matching };
  }
}

function positionOf([size, id]: unknown[]): { size: number; id: string } {
  if (typeof size !== 'number' || typeof id !== 'string') throw invalidCursor();
  return { size, id };
}
