import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { ContentModule } from '../content/content.module.js';
import { ExportCopy } from './exports/export-copy.js';
import { ExportExecutor } from './exports/export-executor.js';
import { ExportJobsModule } from './export-jobs.module.js';
import { ExportLeasesRepository } from './exports/export-leases.repository.js';
import { ExportPruner } from './exports/export-pruner.js';
import { ExportWorker } from './exports/export-worker.js';

/** Writes exports into the media store. */
@Module({
  imports: [MessagesModule, ExportJobsModule, ContentModule],
  providers: [ExportWorker, ExportPruner, ExportExecutor, ExportCopy, ExportLeasesRepository],
  exports: [ExportCopy],
})
export class ExportWorkerModule {}
