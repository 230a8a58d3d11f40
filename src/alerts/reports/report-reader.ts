import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problems/problem.js';
import type { ReportContentDto } from './report-content.dto.js';
import type { DraftReportDto, ReportFormat } from './report.dto.js';
import { ReportFiguresService } from './report-figures.service.js';
import { reportHtml } from './report-html.js';
import { planOf } from './report-period.js';
import { ReportSubjects } from './report-subjects.js';
import { reportMarkdown } from './report-text.js';
import { ReportsRepository } from './reports.repository.js';
import { trendPicture } from './trend-picture.js';

/** Reads reports of the last period that is over. */
@Injectable()
export class ReportReader {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly subjects: ReportSubjects,
    private readonly figures: ReportFiguresService,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** The last period that is over, of a report that is not saved. Throws 400 for unknown alerts and searches. */
  async preview(workspaceId: string, draft: DraftReportDto): Promise<ReportContentDto> {
    const subjects = await this.subjects.of(workspaceId, draft);
    const about = { name: draft.name ?? 'Report', ...subjects, ...planOf(draft) };
    return this.figures.content(workspaceId, about, this.clock.now());
  }

  /** The last period that is over. Throws 404. */
  async latest(workspaceId: string, id: string): Promise<ReportContentDto> {
    const report = await this.reports.find(workspaceId, id);
    if (report === null) throw Problem.notFound('report');
    return this.figures.content(workspaceId, report, this.clock.now());
  }

  /** A report in a format. */
  rendered(content: ReportContentDto, format: ReportFormat): string {
    const dashboard = this.environment.PUBLIC_URL;
    if (format === 'json') return JSON.stringify(content);
    if (format === 'md') return reportMarkdown(content, dashboard);
    const picture = `data:image/png;base64,${trendPicture(content).toString('base64')}`;
    return reportHtml(content, { picture, dashboard });
  }
}
