import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { readEncryptionKeys } from './encryption-key.js';
import { SecretBox } from './secret-box.js';

/** Refuses to encrypt and decrypt, because this machine has no key. */
class KeylessSecretBox extends SecretBox {
  constructor() {
    super([Buffer.alloc(32)]);
  }

  override seal(): never {
    throw new Error(NO_KEY);
  }

  override open(): never {
    throw new Error(NO_KEY);
  }
}

const NO_KEY =
  "The service's encryption key is not on this machine. Set DATA_DIR to the service's folder, or ENCRYPTION_KEY to its key";

/** Provides the {@link SecretBox} to commands, which create no key. */
@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [ENVIRONMENT],
      useFactory: async (environment: Environment) => {
        const keys = await readEncryptionKeys(environment);
        return keys === null ? new KeylessSecretBox() : new SecretBox(keys);
      },
    },
  ],
  exports: [SecretBox],
})
export class ExistingSecretsModule {}
