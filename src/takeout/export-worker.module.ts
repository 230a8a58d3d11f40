import { Module } from '@nestjs/common';
import { EventsModule } from '../messages/events.module.js';
import { MediaModule } from '../content/media.module.js';
import { ExportCopy } from './exports/export-copy.js';
import { ExportExecutor } from './exports/export-executor.js';
import { ExportJobsModule } from './export-jobs.module.js';
import { ExportLeasesRepository } from './exports/export-leases.repository.js';
import { ExportPruner } from './exports/export-pruner.js';
import { ExportWorker } from './exports/export-worker.js';

/** Writes exports into the media store. */
@Module({
  imports: [EventsModule, ExportJobsModule, MediaModule],
  providers: [ExportWorker, ExportPruner, ExportExecutor, ExportCopy, ExportLeasesRepository],
  exports: [ExportCopy],
})
export class ExportWorkerModule {}
