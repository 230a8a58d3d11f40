import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Request } from 'express';
import { Problem } from '../../http/problems/problem.js';
import { pathOf } from '../../http/request/request.js';
import { Public } from '../../http/request/public.decorator.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { MetricsServer } from './metrics-server.js';

@Public()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: MetricsRegistry,
    private readonly server: MetricsServer,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get Prometheus metrics',
    description:
      'Metrics of this process in the Prometheus text format. With `METRICS_PORT`, only that port serves them.',
  })
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'Prometheus text format', schema: { type: 'string' } })
  getMetrics(@Req() request: Request): Promise<string> {
    if (this.server.port !== null) throw Problem.noRoute(request.method, pathOf(request));
    return this.metrics.registry.metrics();
  }
}
