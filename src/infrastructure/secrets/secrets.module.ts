import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { loadEncryptionKey } from './encryption-key.js';
import { SecretBox } from './secret-box.js';

/** The box that stored secrets are sealed in, for everyone. */
@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [ENVIRONMENT],
      useFactory: async (environment: Environment) => new SecretBox(await loadEncryptionKey(environment)),
    },
  ],
  exports: [SecretBox],
})
export class SecretsModule {}
