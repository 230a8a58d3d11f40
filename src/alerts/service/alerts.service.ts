import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import { Listeners } from '../../tenants/ports/listeners.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertsRepository, QUERY_CHARACTERS } from '../alert/alerts.repository.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { ChannelConfigs, CLEAN_STATE } from '../alert/channel-configs.js';
import type { AlertWarningDto } from '../alert/alert-warning.dto.js';
import { planOf } from '../alert/alert-delivery.dto.js';
import { AlertDto, type AlertFormat, type CreateAlertDto, type UpdateAlertDto } from '../alert/alert.dto.js';
import { spikeOf, storyOf } from '../alert/alert-condition.dto.js';
import { refuseSeries, startOfReading } from '../conditions/spike-condition.js';

const LISTENED = 'listened_posts_per_day';

/** Creates, changes and lists alerts. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly configs: ChannelConfigs,
    private readonly transactions: TransactionRunner,
    private readonly quotas: QuotasService,
    private readonly listeners: Listeners,
    private readonly clock: Clock,
  ) {}

  /** All alerts, oldest first. */
  async list(workspaceId: string, options: AlertFormat): Promise<AlertDto[]> {
    const alerts = await this.alerts.list(workspaceId);
    const warnings = await this.warnings(workspaceId, alerts, options);
    return alerts.map((alert) => AlertDto.from(alert, this.configs.openOrEmpty(alert), options, warnings));
  }

  /** One alert. Throws 404. */
  async show(workspaceId: string, id: string, options: AlertFormat): Promise<AlertDto> {
    const alert = await this.get(workspaceId, id);
    return this.shown(alert, this.configs.openOrEmpty(alert), options);
  }

  async create(workspaceId: string, request: CreateAlertDto, view?: AlertFormat['view']): Promise<AlertDto> {
    const channel = request.channel ?? 'email';
    const config: ChannelConfig = request.channel_config ?? {};
    this.configs.check(channel, config);
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
      story: storyOf(request.condition),
      spikeDueAt: null,
      spikeReadUntil: null,
      minRelevance: request.min_relevance ?? null,
      question: request.question ?? null,
      delivery: planOf(request.delivery),
      digestDueAt: null,
      sentHour: null,
      sentInHour: 0,
      forums: request.forums ?? [],
      listen: request.listen ?? [],
      channel,
      sealedChannelConfig: this.configs.seal(workspaceId, id, config),
      isActive: true,
      lastTriggeredAt: null,
      triggerCount: 0,
      ...CLEAN_STATE,
      createdAt: this.clock.now(),
    };
    refuseSeries(alert);
    Object.assign(alert, startOfReading(alert, this.clock.now()));
    await this.transactions.run(async (tx) => {
      await this.quotas.enforce(workspaceId, 'alerts', 1, tx);
      await this.quotas.enforce(workspaceId, 'alert_keywords', keywordUse(alert), tx);
      await this.listeners.enforce(workspaceId, alert, tx);
      await this.alerts.insert(alert, tx);
    });
    return this.shown(alert, config, { view });
  }

  async update(
    workspaceId: string,
    id: string,
    request: UpdateAlertDto,
    view?: AlertFormat['view'],
  ): Promise<AlertDto> {
    const [changed, config] = await this.transactions.run(async (tx) => {
      const alert = await this.alerts.lock(workspaceId, id, tx);
      if (alert === null) throw Problem.notFound('alert');
      const { config, columns } = this.configs.change(alert, request);
      const changes = {
        name: request.name ?? alert.name,
        keywords: request.keywords ?? alert.keywords,
        query: request.query === undefined ? alert.query : request.query,
        of: request.of ?? alert.of,
        foldDuplicates: request.fold_duplicates ?? alert.foldDuplicates,
        spike: request.condition === undefined ? alert.spike : spikeOf(request.condition),
        story: request.condition === undefined ? alert.story : storyOf(request.condition),
        minRelevance: request.min_relevance === undefined ? alert.minRelevance : request.min_relevance,
        question: request.question === undefined ? alert.question : request.question,
        // Held notifications keep their due time.
        delivery: request.delivery === undefined ? alert.delivery : planOf(request.delivery),
        forums: request.forums ?? alert.forums,
        listen: request.listen ?? alert.listen,
        isActive: request.is_active ?? alert.isActive,
        ...columns,
        // An alert that is switched on again starts with a clean state, too.
        ...(request.is_active === true && CLEAN_STATE),
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
      await this.listeners.enforce(workspaceId, { id, listen: changes.listen }, tx);
      await this.alerts.update(workspaceId, id, changes, tx);
      const changed = { ...alert, ...changes };
      // Addresses of a channel are credentials.
      noteRecord(AlertDto.from(alert, {}, { view: 'full' }), AlertDto.from(changed, {}, { view: 'full' }));
      return [changed, config] as const;
    });
    return this.shown(changed, config, { view });
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    noteRecord(await this.get(workspaceId, id), null);
    if (!(await this.transactions.run((tx) => this.alerts.delete(workspaceId, id, tx))))
      throw Problem.notFound('alert');
  }

  async get(workspaceId: string, id: string): Promise<Alert> {
    const alert = await this.alerts.find(workspaceId, id);
    if (alert === null) throw Problem.notFound('alert');
    return alert;
  }

  private async shown(alert: Alert, config: ChannelConfig, format: AlertFormat): Promise<AlertDto> {
    return AlertDto.from(alert, config, format, await this.warnings(alert.workspaceId, [alert], format));
  }

  /** What keeps the alerts of a workspace that listen from doing what they say; empty unless it is shown. */
  private async warnings(
    workspaceId: string,
    alerts: readonly Alert[],
    { view }: AlertFormat,
  ): Promise<AlertWarningDto[]> {
    if (view !== 'full' || alerts.every(({ listen }) => listen.length === 0)) return [];
    const [limit, used] = await Promise.all([
      this.quotas.limit(workspaceId, LISTENED),
      this.quotas.used(LISTENED, workspaceId),
    ]);
    if (limit === 0 || used < limit) return [];
    const message = `Today's ${limit} matching posts and comments are stored. Until midnight UTC further ones are counted, not stored. Narrow the query, or ask the operator for a higher limit`;
    return [{ code: LISTENED, message }];
  }
}

/** The alert's contribution to the quota `alert_keywords`. */
function keywordUse({ keywords, query, forums }: Pick<Alert, 'keywords' | 'query' | 'forums'>): number {
  const ofQuery = Math.ceil([...(query ?? '')].length / QUERY_CHARACTERS);
  return (keywords.length + ofQuery) * Math.max(1, forums.length);
}
