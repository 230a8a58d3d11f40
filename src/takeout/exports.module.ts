import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { SearchModule } from '../search/search.module.js';
import { ExportCursor } from './exports/export-cursor.js';
import { ExportDownload } from './exports/export-download.js';
import { ExportJobsController } from './exports/export-jobs.controller.js';
import { ExportJobsModule } from './export-jobs.module.js';
import { ExportJobsService } from './exports/export-jobs.service.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DatasetsService } from './datasets/datasets.service.js';
import { DatasetsRepositoryModule } from './datasets-repository.module.js';
import { RecurringExportsController } from './exports/recurring/recurring-exports.controller.js';
import { RecurringExportsService } from './exports/recurring/recurring-exports.service.js';
import { ExportsController } from './exports/exports.controller.js';
import { ExportsService } from './exports/exports.service.js';

/** Exports and datasets over HTTP. */
@Module({
  imports: [ContentModule, DatasetsRepositoryModule, ExportJobsModule, SearchModule],
  // Order matters: otherwise `/exports/posts` would match the route of an export with the id `posts`.
  controllers: [ExportsController, ExportJobsController, RecurringExportsController, DatasetsController],
  providers: [
    ExportsService,
    ExportDownload,
    ExportJobsService,
    ExportCursor,
    DatasetsService,
    RecurringExportsService,
  ],
  exports: [ExportJobsModule],
})
export class ExportsModule {}
