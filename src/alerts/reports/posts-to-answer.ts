import { Injectable } from '@nestjs/common';
import { publicId } from '../../common/ids.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import type { PostRecord } from '../../content/posts/post.entity.js';
import type { Alert } from '../alert/alert.entity.js';
import { DECIDED } from '../matching/match-state.js';
import { type ListedMatch, MatchesRepository } from '../triage/matches.repository.js';
import type { ReportPostDto, ReportTimesDto } from './report-content.dto.js';
import { countOf } from './report-words.js';

const MAX_POSTS = 10;
/** Newest matches of an alert that are considered. */
const MAX_MATCHES = 500;
/** Of a match while its alert has learned nothing. */
const UNKNOWN_RELEVANCE = 0.5;
const HOUR_MS = 3_600_000;

/** Finds the posts of alerts that need an answer most. */
@Injectable()
export class PostsToAnswer {
  constructor(
    private readonly matches: MatchesRepository,
    private readonly posts: PostsRepository,
  ) {}

  /**
   * Posts of a period with a match that is neither kept nor dismissed, the most urgent first: relevant, recent, with few
   * replies, and seen by many.
   */
  async find(
    workspaceId: string,
    alerts: readonly Alert[],
    period: ReportTimesDto,
  ): Promise<ReportPostDto[]> {
    const found = new Map<string, ReportPostDto & { urgency: number }>();
    for (const alert of alerts) {
      const filter = {
        alertId: alert.id,
        of: 'posts' as const,
        minRelevance: alert.minRelevance ?? undefined,
      };
      const listed = await this.matches.list(workspaceId, filter, 'matched_at', null, MAX_MATCHES);
      const open = listed.filter(({ state }) => !DECIDED.includes(state));
      const posts = await this.posts.findMany(
        workspaceId,
        open.map(({ postId }) => postId),
      );
      for (const match of open) {
        const post = posts.get(match.postId);
        if (post === undefined || post.createdUtc < period.from || post.createdUtc >= period.to) continue;
        const urgency = urgencyOf(post, match, period);
        if ((found.get(post.id)?.urgency ?? -1) < urgency)
          found.set(post.id, { ...toAnswer(post, match, period), urgency });
      }
    }
    return [...found.values()]
      .sort((a, b) => b.urgency - a.urgency || (a.post_id < b.post_id ? -1 : 1))
      .slice(0, MAX_POSTS)
      .map(({ urgency: _, ...post }) => post);
  }
}

/** Falls by half over half of the period, and with replies. */
function urgencyOf(
  { createdUtc, score, numComments }: PostRecord,
  { relevance }: ListedMatch,
  { from, to }: ReportTimesDto,
): number {
  const age = (to.getTime() - createdUtc.getTime()) / (to.getTime() - from.getTime());
  const audience = Math.log2(2 + Math.max(0, score));
  return ((relevance ?? UNKNOWN_RELEVANCE) * audience * 0.25 ** age) / (1 + Math.log2(1 + numComments));
}

function toAnswer(
  post: PostRecord,
  { alertId, relevance }: ListedMatch,
  period: ReportTimesDto,
): ReportPostDto {
  const { id, title, forum, author, permalink, createdUtc, score, numComments } = post;
  const hours = Math.max(1, Math.round((period.to.getTime() - createdUtc.getTime()) / HOUR_MS));
  return {
    post_id: id,
    alert_id: publicId('alert', alertId),
    title,
    forum,
    author,
    permalink,
    created_utc: createdUtc,
    score,
    num_comments: numComments,
    relevance,
    reasons: [
      numComments === 0 ? 'no reply yet' : countOf(numComments, 'reply', 'replies'),
      ...(relevance === null ? [] : [`${Math.round(100 * relevance)} % relevant`]),
      `${hours < 48 ? countOf(hours, 'hour') : countOf(Math.round(hours / 24), 'day')} old`,
      ...(score > 0 ? [`score ${score}`] : []),
    ],
  };
}
