import { Injectable } from '@nestjs/common';
import { publicId } from '../../common/ids.js';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { requireId } from '../../http/parameters/require-id.js';
import { Problem } from '../../http/problems/problem.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { toCommentDto, toCommentPostDto } from '../../content/comments/dto/comment.dto.js';
import { toPostDto } from '../../content/posts/dto/post.dto.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { SpeakersRepository } from '../../content/speakers/speakers.repository.js';
import { mapInSlices } from '../../common/slices.js';
import { textOf } from '../relevance/record-text.js';
import { RelevanceModels } from '../relevance/relevance-models.js';
import { cursorAfterMatch, matchPositionOf } from './match-order.js';
import { commentIdOf } from '../../content/comments/comment-keys.js';
import {
  type ChangeMatchesDto,
  type ListMatchesDto,
  type MatchDto,
  type MatchFilterDto,
  type MatchPageDto,
  toSpeakerDto,
  type UpdateMatchDto,
} from './match.dto.js';
import { MATCH_STATES, storedLabels } from '../matching/match-state.js';
import { type ListedMatch, type MatchFilter, MatchesRepository } from './matches.repository.js';

/** Maximum number of matches that one statement changes, and of statements of one request. */
const CHANGED_AT_ONCE = 5_000;
const MAX_STATEMENTS = 100;

/** Lists matches and records how far people have read them. */
@Injectable()
export class MatchesService {
  constructor(
    private readonly matches: MatchesRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly speakers: SpeakersRepository,
    private readonly models: RelevanceModels,
  ) {}

  /** A page of matches. Throws 400 `invalid_cursor`. */
  async list(workspaceId: string, query: ListMatchesDto): Promise<MatchPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, cursor = '', sort_by: order = 'matched_at', view, ...given } = query;
    const filter = { ...filterOf(given, 'alert_id'), minRelevance: given.min_relevance ?? undefined };
    const scope = ['matches', workspaceId, filter, order];
    const [found, counted] = await Promise.all([
      this.matches.list(workspaceId, filter, order, matchPositionOf(cursor, order, scope), limit + 1),
      this.matches.countByState(workspaceId, { ...filter, state: undefined }),
    ]);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const shown = await this.shown(workspaceId, page);
    const count = (state: (typeof MATCH_STATES)[number]): number => counted.get(state) ?? 0;
    const states = filter.state === undefined ? MATCH_STATES : [filter.state];
    return {
      matches: view === 'full' ? await this.inFull(workspaceId, shown) : shown,
      total: states.map(count).reduce((a, b) => a + b),
      counts: { new: count('new'), seen: count('seen'), kept: count('kept'), dismissed: count('dismissed') },
      cursor: last === undefined ? cursor : cursorAfterMatch({ key: last.position, id: last.id }, scope),
      has_more: found.length > limit,
    };
  }

  /** Changes one match. Throws 404. */
  async update(workspaceId: string, id: string, request: UpdateMatchDto): Promise<MatchDto> {
    const { state, labels, note } = request;
    const match = await this.matches.update(workspaceId, id, {
      state,
      labels: labels == null ? undefined : storedLabels(labels),
      note,
    });
    if (match === null) throw Problem.notFound('match');
    const [shown] = await this.shown(workspaceId, [match]);
    return shown!;
  }

  /** Changes many matches; returns how many are different afterwards. Ids of other workspaces change nothing. */
  async change(workspaceId: string, request: ChangeMatchesDto): Promise<number> {
    const { ids, filter, state, add_labels: added, remove_labels: removed } = request;
    if ((ids == null) === (filter == null))
      throw Problem.validation([{ field: 'ids', message: 'send either ids or filter' }]);
    const selected: MatchFilter =
      ids == null
        ? filterOf(filter!, 'filter.alert_id')
        : { ids: ids.map((id, index) => requireId('match', id, `ids.${index}`)) };
    const change = { state: state ?? undefined, addLabels: added ?? [], removeLabels: removed ?? [] };
    let total = 0;
    for (let statement = 0; statement < MAX_STATEMENTS; statement += 1) {
      const changed = await this.matches.change(workspaceId, selected, change, CHANGED_AT_ONCE);
      total += changed;
      if (changed < CHANGED_AT_ONCE) break;
    }
    return total;
  }

  /** Adds the authors, and the posts of comments. */
  private async inFull(workspaceId: string, matches: readonly MatchDto[]): Promise<MatchDto[]> {
    const texts = matches.map(textIn);
    const postIds = matches.flatMap(({ comment }) => (comment ? [comment.post_id] : []));
    const [speakers, posts] = await Promise.all([
      this.speakers.find(
        workspaceId,
        texts.filter((text) => text !== null),
      ),
      this.posts.summaries(workspaceId, [...new Set(postIds)]),
    ]);
    return matches.map((match, index) => {
      const { comment } = match;
      const speaker = speakers.get(texts[index]?.id ?? '');
      return {
        ...match,
        ...(comment && { comment: { ...comment, post: toCommentPostDto(posts.get(comment.post_id)) } }),
        speaker: speaker === undefined ? null : toSpeakerDto(speaker),
      };
    });
  }

  private async shown(workspaceId: string, matches: readonly ListedMatch[]): Promise<MatchDto[]> {
    const commentIds = matches.map(({ postId }) => commentIdOf(postId));
    const postIds = matches.filter((_, index) => commentIds[index] === null).map(({ postId }) => postId);
    const [posts, comments, models] = await Promise.all([
      this.posts.findMany(workspaceId, postIds),
      this.comments.findMany(
        workspaceId,
        commentIds.filter((id) => id !== null),
      ),
      this.models.find(workspaceId, [...new Set(matches.map(({ alertId }) => alertId))]),
    ]);
    return mapInSlices([...matches.entries()], ([index, match]) => {
      const commentId = commentIds[index]!;
      const [post, comment] = [posts.get(match.postId), comments.get(commentId)];
      const record = commentId === null ? post : comment;
      const model = match.relevance === null ? undefined : models.get(match.alertId);
      return {
        id: publicId('match', match.id),
        alert_id: publicId('alert', match.alertId),
        matched_at: match.matchedAt,
        state: match.state,
        labels: match.labels,
        note: match.note,
        duplicates: match.duplicates,
        keywords: match.keywords,
        relevance: match.relevance,
        reasons: record && model ? model.reasons(textOf(record)) : null,
        ...(match.reading !== null && { second_reading: match.reading }),
        ...(commentId === null
          ? { post: post === undefined ? null : toPostDto(post) }
          : { comment: comment === undefined ? null : toCommentDto(comment) }),
      };
    });
  }
}

/** The id and the author of what matched; null when it is no longer stored. */
function textIn({ post, comment }: MatchDto): { id: string; author: string } | null {
  if (post) return post;
  return comment ? { id: comment.comment_id, author: comment.author } : null;
}

function filterOf({ alert_id, state, label, of }: MatchFilterDto, field: string): MatchFilter {
  const alertId = alert_id == null ? undefined : requireId('alert', alert_id, field);
  return { alertId, state: state ?? undefined, label: label ?? undefined, of: of ?? undefined };
}
