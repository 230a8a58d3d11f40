import { Module } from '@nestjs/common';
import { ConcurrencyQuotas } from './usage/concurrency-quotas.js';
import { QuotasService } from './usage/quotas.service.js';
import { WorkspacesRepositoryModule } from './workspaces-repository.module.js';

/** Quotas, for modules whose data counts towards them. */
@Module({
  imports: [WorkspacesRepositoryModule],
  providers: [QuotasService, ConcurrencyQuotas],
  exports: [QuotasService, ConcurrencyQuotas],
})
export class QuotasModule {}
