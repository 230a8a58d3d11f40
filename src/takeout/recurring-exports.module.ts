import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { ExportDestinations } from './exports/destination/export-destinations.js';
import { RecurringExport } from './exports/recurring/recurring-export.entity.js';
import { RecurringExportsRepository } from './exports/recurring/recurring-exports.repository.js';

/** Recurring exports and destinations, for the processes that create, run, write or erase them. */
@Module({
  imports: [TypeOrmModule.forFeature([RecurringExport])],
  providers: [RecurringExportsRepository, ExportDestinations],
  exports: [RecurringExportsRepository, ExportDestinations],
})
export class RecurringExportsModule {
  constructor(
    quotas: QuotasService,
    sealed: SealedColumns,
    recurring: RecurringExportsRepository,
    destinations: ExportDestinations,
  ) {
    quotas.register('recurring_exports', (workspaceId, tx) => recurring.count(workspaceId, tx));
    sealed.register(recurring, destinations);
    sealed.registerExpiring((prefix) => recurring.hasRunSealedOtherwise(prefix));
  }
}
