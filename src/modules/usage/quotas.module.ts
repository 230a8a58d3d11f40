import { Module } from '@nestjs/common';
import { WorkspacesRepository } from '../workspaces/workspaces.repository.js';
import { ConcurrencyQuotas } from './concurrency-quotas.js';
import { QuotasService } from './quotas.service.js';

/** Quotas, for modules whose data counts towards them. */
@Module({
  providers: [QuotasService, ConcurrencyQuotas, WorkspacesRepository],
  exports: [QuotasService, ConcurrencyQuotas],
})
export class QuotasModule {}
