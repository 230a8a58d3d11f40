import { Module } from '@nestjs/common';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';

@Module({
  imports: [QuotasModule],
  providers: [IdempotencyRepository, IdempotencyService],
  exports: [IdempotencyRepository, IdempotencyService],
})
export class IdempotencyModule {}
