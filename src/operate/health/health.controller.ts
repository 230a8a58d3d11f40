import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { VERSION } from '../../common/version.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { Public } from '../../http/request/public.decorator.js';
import { withTimeout } from '../../common/timeout.js';
import { REDIS } from '../../infrastructure/queue/redis.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { ClaimFailures } from '../../infrastructure/readiness/claim-failures.js';
import { Draining } from '../../infrastructure/readiness/draining.js';
import { HealthDto } from './dto/health.dto.js';

const PROBE_TIMEOUT_MS = 2_000;

@Public()
@Controller('health')
export class HealthController {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(REDIS) private readonly redis: Redis,
    private readonly draining: Draining,
    private readonly claimFailures: ClaimFailures,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'ROLES'>,
  ) {}

  @Get('live')
  @ApiOperation({ summary: 'Check liveness', description: 'Returns 200 while the process is running.' })
  getLiveness(): HealthDto {
    return { status: 'ok', version: VERSION };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Check readiness',
    description:
      'Returns 200 while Postgres and Redis respond and no shutdown has started, otherwise 503. A worker that fails to claim jobs answers 503 too, or names it in `problem` if the process also serves the API.',
  })
  @ApiProblems('unavailable')
  async getReadiness(): Promise<HealthDto> {
    if (this.draining.hasBegun) throw notReady('Shutting down');
    const [postgres, redis] = await Promise.allSettled([
      withTimeout(this.dataSource.query('SELECT 1'), PROBE_TIMEOUT_MS, 'Postgres did not answer'),
      withTimeout(this.redis.ping(), PROBE_TIMEOUT_MS, 'Redis did not answer'),
    ]);
    const away = [
      postgres.status === 'rejected' && 'Postgres',
      redis.status === 'rejected' && 'Redis',
    ].filter(Boolean);
    if (away.length > 0) throw notReady(`Not reachable: ${away.join(', ')}`);
    const failure = this.claimFailures.current();
    if (failure === null) return { status: 'ok', version: VERSION };
    const failing = `This worker has not been able to claim jobs for ${Math.round(failure.seconds)} s`;
    if (!this.environment.ROLES.includes('api')) throw notReady(failing);
    return { status: 'ok', version: VERSION, problem: failing };
  }
}

function notReady(detail: string): Problem {
  return new Problem('unavailable', detail, { headers: { 'Retry-After': '5' } });
}
