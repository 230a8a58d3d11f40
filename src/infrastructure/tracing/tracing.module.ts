import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT } from '../../config/environment.js';
import { startTracing, Tracing } from './tracing.js';

/** Provides {@link Tracing} to every module. */
@Global()
@Module({
  providers: [{ provide: Tracing, inject: [ENVIRONMENT], useFactory: startTracing }],
  exports: [Tracing],
})
export class TracingModule {}
