import { Global, Module } from '@nestjs/common';
import { RequestLimits } from './request-limits.js';

/** Provides {@link RequestLimits} to every module. */
@Global()
@Module({ providers: [RequestLimits], exports: [RequestLimits] })
export class RateLimitModule {}
