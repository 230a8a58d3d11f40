import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { loadEncryptionKeys } from './encryption-key.js';
import { SecretBox } from './secret-box.js';

/** Provides the {@link SecretBox} to every module. */
@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [ENVIRONMENT],
      useFactory: async (environment: Environment) => new SecretBox(await loadEncryptionKeys(environment)),
    },
  ],
  exports: [SecretBox],
})
export class SecretsModule {}
