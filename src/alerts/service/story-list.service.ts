import { Injectable } from '@nestjs/common';
import { parseId, publicId } from '../../common/ids.js';
import type { Subject } from '../../content/analytics/dto/analytics.dto.js';
import { type FoundStory, shownId, StoriesService } from '../../content/stories/stories.service.js';
import type {
  StoriesDto,
  StoriesQueryDto,
  StoryDto,
  StoryPostsDto,
} from '../../content/stories/story.dto.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../../http/pages/cursor.js';
import { Problem } from '../../http/problems/problem.js';
import { MAX_QUERY_LENGTH } from '../../search/query/parse-query.js';
import { watches } from '../alert/alert-scope.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { queryOf } from '../spikes/spike-condition.js';

const PAGE = { stories: 50, posts: 200 };

/** Lists stories, also those of an alert's matches. */
@Injectable()
export class StoryListService {
  constructor(
    private readonly stories: StoriesService,
    private readonly alerts: AlertsRepository,
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
    const page = after.sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1)).slice(0, PAGE.stories);
    const last = page.at(-1);
    return {
      stories: page.map(shown),
      left_out: found.leftOut,
      cursor: last === undefined ? (cursor ?? '') : encodeCursor([last.size, last.id], scope),
    };
  }

  /** Throws 404 for a story that is not stored. */
  async listPosts(workspaceId: string, id: string, cursor?: string): Promise<StoryPostsDto> {
    const scope = [workspaceId, id];
    const [after] = cursor ? decodeCursor(cursor, scope) : [''];
    if (typeof after !== 'string') throw invalidCursor();
    const records = await this.stories.recordsOf(workspaceId, id, after, PAGE.posts);
    if (records.length === 0 && after === '') throw Problem.notFound('story');
    const last = records.at(-1);
    return {
      posts: records.map(shownId),
      cursor: last === undefined ? (cursor ?? '') : encodeCursor([last], scope),
    };
  }

  private async ofAlert(workspaceId: string, text: string, q?: string): Promise<{ of: Subject; q: string }> {
    const id = parseId('alert', text);
    if (id === null) throw Problem.validation([{ field: 'alert_id', message: 'alert_id must be a uuid' }]);
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
    return { of: watches(alert.of, 'posts') ? 'posts' : 'comments', q: matching };
  }
}

function positionOf([size, id]: unknown[]): { size: number; id: string } {
  if (typeof size !== 'number' || typeof id !== 'string') throw invalidCursor();
  return { size, id };
}

const shown = ({ id, firstAt, lastAt, records, ...story }: FoundStory): StoryDto => ({
  ...story,
  id: publicId('story', id),
  first_at: firstAt,
  last_at: lastAt,
  posts: records,
});
