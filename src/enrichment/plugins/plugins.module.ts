import { Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { PluginRegistry } from './plugin-registry.js';

@Module({
  providers: [
    {
      provide: PluginRegistry,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => PluginRegistry.load(environment.PLUGINS_DIR),
    },
  ],
  exports: [PluginRegistry],
})
export class PluginsModule {}
