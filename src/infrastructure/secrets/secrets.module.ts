import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { loadEncryptionKeys, readEncryptionKeys } from './encryption-key.js';
import { SecretBox } from './secret-box.js';

const NO_KEY =
  "The service's encryption key is not on this machine. Set DATA_DIR to the service's folder, or ENCRYPTION_KEY to its key";

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

/** Secrets of commands, which create no key. */
class ExistingSecrets {}

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
export class SecretsModule {
  /** For commands: without a key on this machine, only encrypting and decrypting fails. */
  static existing(): DynamicModule {
    return {
      module: ExistingSecrets,
      global: true,
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
    };
  }
}
