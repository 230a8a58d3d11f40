import { Global, Module } from '@nestjs/common';
import { RequestLimits } from './request-limits.js';
import { RequestTurns } from './request-turns.js';

/** Provides {@link RequestLimits} and {@link RequestTurns} to every module. */
@Global()
@Module({ providers: [RequestLimits, RequestTurns], exports: [RequestLimits, RequestTurns] })
export class RateLimitModule {}
