import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { ChannelConfigs, CLEAN_STATE } from '../alert/channel-configs.js';
import { planOf } from '../alert/alert-delivery.dto.js';
import { AlertDto, type AlertFormat, type CreateAlertDto, type UpdateAlertDto } from '../alert/alert.dto.js';
import { spikeOf, storyOf } from '../alert/alert-condition.dto.js';
import { AlertQuotas } from './alert-quotas.js';
import { AlertWarnings } from './alert-warnings.js';
import { refuseSeries, startOfReading } from '../conditions/spike-condition.js';

/** Creates, changes and lists alerts. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly configs: ChannelConfigs,
    private readonly transactions: TransactionRunner,
    private readonly quotas: AlertQuotas,
    private readonly warnings: AlertWarnings,
    private readonly clock: Clock,
  ) {}

  /** All alerts, oldest first. */
  async list(workspaceId: string, options: AlertFormat): Promise<AlertDto[]> {
    const alerts = await this.alerts.list(workspaceId);
    const shown = await this.shower(workspaceId, options);
    return alerts.map((alert) => shown(alert, this.configs.openOrEmpty(alert)));
  }

  /** One alert. Throws 404. */
  async show(workspaceId: string, id: string, options: AlertFormat): Promise<AlertDto> {
    const alert = await this.get(workspaceId, id);
    return (await this.shower(workspaceId, options))(alert, this.configs.openOrEmpty(alert));
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
      await this.quotas.enforce(workspaceId, alert, null, tx);
      await this.alerts.insert(alert, tx);
    });
    return (await this.shower(workspaceId, { view }))(alert, config);
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
      const changed = { ...alert, ...changes };
      await this.quotas.enforce(workspaceId, changed, alert, tx);
      await this.alerts.update(workspaceId, id, changes, tx);
      // Addresses of a channel are credentials.
      noteRecord(AlertDto.from(alert, {}, { view: 'full' }), AlertDto.from(changed, {}, { view: 'full' }));
      return [changed, config] as const;
    });
    return (await this.shower(workspaceId, { view }))(changed, config);
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

  /** How alerts of a workspace are shown; their warnings only where the view has them. */
  private async shower(
    workspaceId: string,
    format: AlertFormat,
  ): Promise<(alert: Alert, config: ChannelConfig) => AlertDto> {
    const warnings = format.view === 'full' ? await this.warnings.reader(workspaceId) : () => [];
    return (alert, config) => AlertDto.from(alert, config, format, warnings(alert, config));
  }
}
