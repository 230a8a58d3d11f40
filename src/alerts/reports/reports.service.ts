import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { ChannelConfigs, CLEAN_STATE } from '../alert/channel-configs.js';
import { type CreateReportDto, ReportDto, type UpdateReportDto } from './report.dto.js';
import type { Report } from './report.entity.js';
import { isSamePlan, nextSending, planOf } from './report-period.js';
import { ReportSubjects } from './report-subjects.js';
import { ReportsRepository } from './reports.repository.js';

/** Creates, changes and reads reports. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly subjects: ReportSubjects,
    private readonly configs: ChannelConfigs,
    private readonly quotas: QuotasService,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /** All reports, oldest first. */
  async list(workspaceId: string, isMasked: boolean): Promise<ReportDto[]> {
    const reports = await this.reports.list(workspaceId);
    return reports.map((report) => ReportDto.from(report, this.configs.openOrEmpty(report), isMasked));
  }

  /** One report. Throws 404. */
  async show(workspaceId: string, id: string, isMasked: boolean): Promise<ReportDto> {
    const report = await this.get(workspaceId, id);
    return ReportDto.from(report, this.configs.openOrEmpty(report), isMasked);
  }

  /** Throws 400 for unknown alerts and searches, and 403 `quota_exceeded`. */
  async create(workspaceId: string, request: CreateReportDto): Promise<ReportDto> {
    const { name, channel = 'email', channel_config: config = {} } = request;
    this.configs.check(channel, config);
    const subjects = await this.subjects.of(workspaceId, request);
    const [id, createdAt] = [newId(), this.clock.now()];
    const sealedChannelConfig = this.configs.seal(workspaceId, id, config);
    const plan = planOf(request);
    const report: Report = {
      ...{ workspaceId, id, name, channel, sealedChannelConfig, createdAt },
      ...subjects,
      ...plan,
      ...CLEAN_STATE,
      dueAt: new Date(nextSending(plan, createdAt.getTime())),
    };
    await this.transactions.run(async (tx) => {
      await this.quotas.enforce(workspaceId, 'reports', 1, tx);
      await this.reports.insert(report, tx);
    });
    return ReportDto.from(report, config);
  }

  /** Changes the fields that the request has. Throws 404, and 400 as {@link create} does. */
  async update(workspaceId: string, id: string, request: UpdateReportDto): Promise<ReportDto> {
    const subjects = await this.subjects.of(workspaceId, request, await this.get(workspaceId, id));
    return this.transactions.run(async (tx) => {
      const report = await this.reports.lock(workspaceId, id, tx);
      if (report === null) throw Problem.notFound('report');
      const { config, columns } = this.configs.change(report, request);
      const plan = planOf(request, report);
      const changes = {
        name: request.name ?? report.name,
        ...subjects,
        ...plan,
        ...columns,
        ...(!isSamePlan(plan, report) && { dueAt: new Date(nextSending(plan, this.clock.now().getTime())) }),
      };
      await this.reports.update(workspaceId, id, changes, tx);
      return ReportDto.from({ ...report, ...changes }, config);
    });
  }

  /** Throws 404. */
  async delete(workspaceId: string, id: string): Promise<void> {
    noteRecord(await this.get(workspaceId, id), null);
    if (!(await this.reports.delete(workspaceId, id))) throw Problem.notFound('report');
  }

  private async get(workspaceId: string, id: string): Promise<Report> {
    const report = await this.reports.find(workspaceId, id);
    if (report === null) throw Problem.notFound('report');
    return report;
  }
}
