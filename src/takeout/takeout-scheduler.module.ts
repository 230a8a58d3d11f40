import { Module } from '@nestjs/common';
import { ExportJobsModule } from './export-jobs.module.js';
import { RecurringExportRunner } from './exports/recurring/recurring-export-runner.js';

/** The scheduler role: creates the runs of recurring exports. */
@Module({ imports: [ExportJobsModule], providers: [RecurringExportRunner] })
export class TakeoutSchedulerModule {}
