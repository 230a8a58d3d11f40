import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConfigurationError, ENVIRONMENT, type Environment } from '../../config/environment.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import { EncryptionKeysRepository } from './encryption-keys.repository.js';

/**
 * Refuses to start a process that lacks a key used to encrypt secrets in the database, and records the key this process
 * encrypts with. Otherwise machines that each generated their own key would silently lose each other's secrets.
 */
@Injectable()
export class EncryptionKeyCheck implements OnModuleInit {
  constructor(
    private readonly box: SecretBox,
    private readonly keys: EncryptionKeysRepository,
    private readonly transactions: TransactionRunner,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'ENCRYPTION_KEYS_LOST'>,
  ) {}

  /** Throws {@link ConfigurationError} when a key is missing. */
  async onModuleInit(): Promise<void> {
    await this.transactions.run((tx) => this.check(tx));
  }

  private async check(tx: EntityManager): Promise<void> {
    const [current] = this.box.keyIds;
    await this.forgetLost(tx);
    const stored = await this.keys.ids(tx);
    if (stored.length === 0 || !stored.includes(current!)) {
      // If several processes start with different keys, only one may record its own.
      await this.keys.lock(tx);
      this.refuseMissing(await this.keys.ids(tx));
      await this.keys.insert(current!, tx);
    } else this.refuseMissing(stored);
  }

  /**
   * Removes the keys listed in `ENCRYPTION_KEYS_LOST`. Secrets encrypted with them stay unreadable until they are
   * replaced.
   */
  private async forgetLost(tx: EntityManager): Promise<void> {
    const lost = this.environment.ENCRYPTION_KEYS_LOST.filter((keyId) => !this.box.keyIds.includes(keyId));
    if (lost.length > 0) await this.keys.remove(lost, tx);
  }

  private refuseMissing(stored: readonly string[]): void {
    const missing = stored.filter((keyId) => !this.box.keyIds.includes(keyId));
    if (missing.length > 0)
      throw new ConfigurationError(
        `ENCRYPTION_KEY lacks the key ${missing.join(', ')}, which encrypts secrets of this database (this process has ${this.box.keyIds.join(', ')}). Set it to the key of the other processes, or restore DATA_DIR/encryption.key. To replace a key, list the new one first, then a comma and the old one. If the key is lost, set ENCRYPTION_KEYS_LOST=${missing.join(',')} and replace the secrets`,
      );
  }
}
