import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../common/clock.js';
import { ENVIRONMENT, type Environment } from './environment.js';

/** Provides the parsed environment and the clock to every module. */
@Global()
@Module({})
export class ConfigModule {
  static with(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: ENVIRONMENT, useValue: environment },
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [ENVIRONMENT, Clock],
    };
  }
}
