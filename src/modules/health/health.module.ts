import { Module } from '@nestjs/common';
import { ClaimFailures } from './claim-failures.js';
import { Draining } from './draining.js';
import { HealthController } from './health.controller.js';

/** Health probes and the shutdown of the HTTP server. */
@Module({
  controllers: [HealthController],
  providers: [Draining, ClaimFailures],
  exports: [Draining, ClaimFailures],
})
export class HealthModule {}
