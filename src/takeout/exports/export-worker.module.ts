import { Module } from '@nestjs/common';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { MediaModule } from '../../content/media/media.module.js';
import { ExportCopy } from './export-copy.js';
import { ExportExecutor } from './export-executor.js';
import { ExportJobsModule } from './export-jobs.module.js';
import { ExportLeasesRepository } from './export-leases.repository.js';
import { ExportPruner } from './export-pruner.js';
import { ExportWorker } from './export-worker.js';

/** Writes exports into the media store. */
@Module({
  imports: [EventsModule, ExportJobsModule, MediaModule],
  providers: [ExportWorker, ExportPruner, ExportExecutor, ExportCopy, ExportLeasesRepository],
  exports: [ExportCopy],
})
export class ExportWorkerModule {}
