import { Injectable, Logger } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE, type OffsetPageDto } from '../../http/pages/page.dto.js';
import { Clock } from '../../common/clock.js';
import { newId, publicId } from '../../common/ids.js';
import { Problem } from '../../http/problems/problem.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { mapInSlices } from '../../common/slices.js';
import { type PostSummary, PostsRepository } from '../../content/posts/posts.repository.js';
import { SPIKE_BUCKET_MS } from '../../content/analytics/spike-series.js';
import { SpikesService } from '../../content/analytics/spikes.service.js';
import type { SpikeDto } from '../../content/analytics/dto/spikes.dto.js';
import type { CommentRecord } from '../../content/comments/comment.entity.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { AlertMatchesRepository } from '../matching/alert-matches.repository.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertsRepository, QUERY_CHARACTERS } from '../alert/alerts.repository.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { configErrors, replacedConfig } from '../../messages/channels/channels.js';
import { ChannelConfigs } from '../alert/channel-configs.js';
import type {
  AlertMatchPageDto,
  AlertPreviewDto,
  PreviewCommentDto,
  PreviewMatchDto,
} from './alert-match.dto.js';
import { planOf } from '../alert/alert-delivery.dto.js';
import {
  AlertDto,
  type AlertFormat,
  type CreateAlertDto,
  type DraftAlertDto,
  type UpdateAlertDto,
} from '../alert/alert.dto.js';
import { AlertMatcher } from '../matching/alert-matcher.js';
import { watches } from '../alert/alert-scope.js';
import { spikeOf } from '../alert/alert-condition.dto.js';
import { refuseSeries, seriesOf, startOfReading } from '../spikes/spike-condition.js';
import type { SpikeSettings } from '../alert/spike-settings.js';
import { recordOf, recordOfComment } from '../matching/alertable-record.js';

/** Maximum number of posts, and of comments, that a preview matches and of matches that it returns. */
const PREVIEW_RECORDS = 1_000;
const PREVIEW_MATCHES = 100;
/** Newest buckets in which a preview finds spikes; as many or more before them are learned from. */
const PREVIEWED_BUCKETS = 336;

/** Creates, changes, lists and previews alerts. */
@Injectable()
export class AlertsService {
  private readonly logger = new Logger(AlertsService.name);

  constructor(
    private readonly alerts: AlertsRepository,
    private readonly matches: AlertMatchesRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly configs: ChannelConfigs,
    private readonly http: OutboundHttpClient,
    private readonly spikes: SpikesService,
    private readonly transactions: TransactionRunner,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  /** All alerts, oldest first. */
  async list(workspaceId: string, options: AlertFormat): Promise<AlertDto[]> {
    const alerts = await this.alerts.list(workspaceId);
    return alerts.map((alert) => AlertDto.from(alert, this.openOrEmpty(alert), options));
  }

  /** One alert. Throws 404. */
  async show(workspaceId: string, id: string, options: AlertFormat): Promise<AlertDto> {
    const alert = await this.get(workspaceId, id);
    return AlertDto.from(alert, this.openOrEmpty(alert), options);
  }

  async create(workspaceId: string, request: CreateAlertDto, view?: AlertFormat['view']): Promise<AlertDto> {
    const channel = request.channel ?? 'email';
    const config: ChannelConfig = request.channel_config ?? {};
    this.check(channel, config);
    const id = newId();
    const alert: Alert = {
      workspaceId,
      id,
      name: request.name,
      keywords: request.keywords ?? [],
      query: request.query ?? null,
      of: request.of ?? 'posts',
      foldDuplicates: request.fold_duplicates ?? true,
      spike: spikeOf(request.condition),
      spikeDueAt: null,
      spikeReadUntil: null,
      delivery: planOf(request.delivery),
      digestDueAt: null,
      sentHour: null,
      sentInHour: 0,
      forums: request.forums ?? [],
      channel,
      sealedChannelConfig: this.configs.seal(workspaceId, id, config),
      isActive: true,
      lastTriggeredAt: null,
      triggerCount: 0,
      channelFailingSince: null,
      channelDisabledReason: null,
      createdAt: this.clock.now(),
    };
    refuseSeries(alert);
    Object.assign(alert, startOfReading(alert, this.clock.now()));
    await this.transactions.run(async (tx) => {
      await this.quotas.enforce(workspaceId, 'alerts', 1, tx);
      await this.quotas.enforce(workspaceId, 'alert_keywords', keywordUse(alert), tx);
      await this.alerts.insert(alert, tx);
    });
    return AlertDto.from(alert, config, { view });
  }

  async update(
    workspaceId: string,
    id: string,
    request: UpdateAlertDto,
    view?: AlertFormat['view'],
  ): Promise<AlertDto> {
    return this.transactions.run(async (tx) => {
      const alert = await this.alerts.lock(workspaceId, id, tx);
      if (alert === null) throw Problem.notFound('alert');
      const channel = request.channel ?? alert.channel;
      const before = this.openOrEmpty(alert);
      const config = request.channel_config == null ? before : replacedConfig(before, request.channel_config);
      const sendsElsewhere = request.channel != null || request.channel_config != null;
      // A configuration that can no longer be read or used must not prevent the alert from being paused.
      if (sendsElsewhere) this.check(channel, config);
      const changes = {
        name: request.name ?? alert.name,
        keywords: request.keywords ?? alert.keywords,
        query: request.query === undefined ? alert.query : request.query,
        of: request.of ?? alert.of,
        foldDuplicates: request.fold_duplicates ?? alert.foldDuplicates,
        spike: request.condition === undefined ? alert.spike : spikeOf(request.condition),
        // Held notifications keep their due time.
        delivery: request.delivery === undefined ? alert.delivery : planOf(request.delivery),
        forums: request.forums ?? alert.forums,
        isActive: request.is_active ?? alert.isActive,
        channel,
        ...(request.channel_config != null && {
          sealedChannelConfig: this.configs.seal(workspaceId, id, config),
        }),
        // A changed channel, or an alert that is switched on again, starts with a clean state.
        ...((sendsElsewhere || request.is_active === true) && {
          channelFailingSince: null,
          channelDisabledReason: null,
        }),
      };
      if (changes.keywords.length === 0 && changes.query === null)
        throw Problem.validation([
          { field: 'keywords', message: 'keywords must have an element unless there is a query' },
        ]);
      refuseSeries(changes);
      // Buckets that were read with the former condition say nothing about the new one.
      Object.assign(changes, startOfReading(changes, this.clock.now()));
      const added = keywordUse(changes) - keywordUse(alert);
      if (added > 0) await this.quotas.enforce(workspaceId, 'alert_keywords', added, tx);
      await this.alerts.update(workspaceId, id, changes, tx);
      return AlertDto.from({ ...alert, ...changes }, config, { view });
    });
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    if (!(await this.transactions.run((tx) => this.alerts.delete(workspaceId, id, tx))))
      throw Problem.notFound('alert');
  }

  async get(workspaceId: string, id: string): Promise<Alert> {
    const alert = await this.alerts.find(workspaceId, id);
    if (alert === null) throw Problem.notFound('alert');
    return alert;
  }

  async listMatches(workspaceId: string, id: string, query: OffsetPageDto): Promise<AlertMatchPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = query;
    await this.get(workspaceId, id);
    const [rows, total] = await Promise.all([
      this.matches.list(workspaceId, id, { limit, offset }),
      this.matches.count(workspaceId, id),
    ]);
    const posts = await this.posts.summaries(
      workspaceId,
      rows.map(({ postId }) => postId),
    );
    return {
      matches: rows.flatMap((row) => {
        const post = posts.get(row.postId);
        if (post === undefined) return [];
        const match = toMatch(post, row.keywords);
        return [{ ...match, job_id: publicId('job', row.jobId), matched_at: row.matchedAt }];
      }),
      total,
      has_more: offset + rows.length < total,
    };
  }

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

  private check(channel: string, config: Record<string, unknown>): void {
    const errors = configErrors(channel, config, (url) => this.http.refuseUrl(url));
    if (errors.length > 0) throw Problem.validation(errors);
  }

  /** Empty when the encryption key is lost: the alert stays visible, so that its configuration can be replaced. */
  private openOrEmpty(alert: Alert): ChannelConfig {
    try {
      return this.configs.open(alert);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      this.logger.error(
        { err: error, workspaceId: alert.workspaceId, alertId: alert.id },
        'channel configuration unreadable',
      );
      return {};
    }
  }
}

function toMatch(post: PostSummary, keywords: string[]): PreviewMatchDto {
  return {
    post_id: post.id,
    forum: post.forum,
    title: post.title,
    author: post.author,
    created_utc: post.createdUtc,
    permalink: post.permalink,
    keywords,
  };
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

/** The alert's contribution to the quota `alert_keywords`. */
function keywordUse({ keywords, query, forums }: Pick<Alert, 'keywords' | 'query' | 'forums'>): number {
  const ofQuery = Math.ceil([...(query ?? '')].length / QUERY_CHARACTERS);
  return (keywords.length + ofQuery) * Math.max(1, forums.length);
}
