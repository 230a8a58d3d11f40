import { Module } from '@nestjs/common';
import { Draining } from './draining.js';
import { HealthController } from './health.controller.js';

/** Health probes and the shutdown of the HTTP server. */
@Module({ controllers: [HealthController], providers: [Draining], exports: [Draining] })
export class HealthModule {}
