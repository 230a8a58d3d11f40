import { Global, Module } from '@nestjs/common';
import { RequestLimits } from './request-limits.js';

@Global()
@Module({ providers: [RequestLimits], exports: [RequestLimits] })
export class RateLimitModule {}
