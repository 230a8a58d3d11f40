import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../common/clock.js';
import { ENVIRONMENT, type Environment } from './environment.js';

/** The parsed environment and the clock, for everyone. */
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
