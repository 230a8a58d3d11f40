import { Module } from '@nestjs/common';
import { ReadinessModule } from '../infrastructure/readiness/readiness.module.js';
import { HealthController } from './health/health.controller.js';

@Module({ imports: [ReadinessModule], controllers: [HealthController] })
export class HealthModule {}
