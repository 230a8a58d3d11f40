import { Module } from '@nestjs/common';
import { ExportMetrics } from './export-metrics.js';

@Module({ providers: [ExportMetrics], exports: [ExportMetrics] })
export class ExportMetricsModule {}
