import { Module } from '@nestjs/common';
import { QuotasModule } from '../tenants/quotas.module.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';

@Module({
  imports: [QuotasModule],
  providers: [IdempotencyRepository, IdempotencyService],
  exports: [IdempotencyRepository, IdempotencyService],
})
export class IdempotencyModule {}
