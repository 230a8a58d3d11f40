import { Module } from '@nestjs/common';
import { ClaimFailures } from './claim-failures.js';
import { Draining } from './draining.js';

/** Conditions of this process's readiness: the shutdown of its HTTP server, and failing claims of its workers. */
@Module({ providers: [Draining, ClaimFailures], exports: [Draining, ClaimFailures] })
export class ReadinessModule {}
