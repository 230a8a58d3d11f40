import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import { Public } from '../../http/public.decorator.js';
import { MetricsRegistry } from './metrics-registry.js';

@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsRegistry) {}

  @Get()
  @ApiOperation({
    summary: 'Get Prometheus metrics',
    description: 'Metrics of this process in the Prometheus text format.',
  })
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'Prometheus text format', schema: { type: 'string' } })
  getMetrics(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
