import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../content/content.module.js';
import { PostsModule } from '../content/posts.module.js';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { Traces } from '../tenants/ports/traces.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { ChannelConfigs } from './alert/channel-configs.js';
import { AlertsModule } from './alerts.module.js';
import { PostsToAnswer } from './reports/posts-to-answer.js';
import { Report } from './reports/report.entity.js';
import { ReportFiguresService } from './reports/report-figures.service.js';
import { ReportReader } from './reports/report-reader.js';
import { ReportSubjects } from './reports/report-subjects.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsRepository } from './reports/reports.repository.js';
import { ReportsService } from './reports/reports.service.js';

/** Reports on alerts and saved searches. */
@Module({
  imports: [AlertsModule, ContentModule, PostsModule, TypeOrmModule.forFeature([Report])],
  controllers: [ReportsController],
  providers: [
    PostsToAnswer,
    ReportFiguresService,
    ReportReader,
    ReportSubjects,
    ReportsRepository,
    ReportsService,
  ],
  exports: [ReportFiguresService, ReportsRepository],
})
export class ReportsModule {
  constructor(
    quotas: QuotasService,
    sealed: SealedColumns,
    traces: Traces,
    reports: ReportsRepository,
    configs: ChannelConfigs,
  ) {
    quotas.register('reports', (workspaceId, tx) => reports.count(workspaceId, tx));
    sealed.register(reports, configs);
    traces.register({
      erase: async (workspaceId, subject) => {
        if (subject?.kind === 'author') await reports.eraseAuthor(workspaceId, subject.author);
      },
    });
  }
}
