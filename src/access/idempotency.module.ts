import { Module } from '@nestjs/common';
import { QuotasModule } from '../tenants/quotas.module.js';
import { PortsModule } from '../tenants/ports.module.js';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';

@Module({
  imports: [PortsModule, QuotasModule],
  providers: [IdempotencyRepository, IdempotencyService],
  exports: [IdempotencyRepository, IdempotencyService],
})
export class IdempotencyModule {
  constructor(sealed: SealedColumns, repository: IdempotencyRepository) {
    // Stored responses expire after one day.
    sealed.registerExpiring((prefix) => repository.hasSealedOtherwise(prefix));
  }
}
