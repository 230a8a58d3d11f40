import { Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { SealedColumns, type SealedTable } from '../../tenants/ports/sealed-columns.js';
import { EncryptionKeysRepository } from '../../tenants/encryption/encryption-keys.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 100;

/**
 * Re-encrypts the registered columns with the first key of `ENCRYPTION_KEY`, in
 * batches of 100 rows: when a worker starts, and once an hour while other keys are recorded. Several workers may do this
 * at the same time. Replaced keys that no longer encrypt anything are removed from `encryption_keys`, so that processes
 * can start without them.
 */
@Injectable()
export class Reencryption extends RepeatedWork {
  private isFirstPass = true;

  constructor(
    private readonly box: SecretBox,
    private readonly keys: EncryptionKeysRepository,
    private readonly sealed: SealedColumns,
  ) {
    super(INTERVAL_MS, 'encryption with the newest key failed, retrying in an hour', 'error');
  }

  override async work(): Promise<boolean> {
    await this.pass();
    return false;
  }

  /** Re-encrypts with the first key whatever another key encrypted, and removes keys that are no longer needed. */
  async pass(): Promise<void> {
    // Read before the rows, so that everything a replaced key encrypted is already stored.
    const others = await this.keys.findOthers(this.box.keyIds[0]!);
    if (others.length === 0 && !this.isFirstPass) return;
    let unreadable = 0;
    for (const table of this.sealed.tables) unreadable += await this.reencrypt(table);
    if (unreadable > 0) this.logger.warn({ unreadable }, 'secrets not readable with any key');
    if (this.stopping.signal.aborted) return;
    this.isFirstPass = false;
    const replaced = others.filter((key) => key.isReplaced).map((key) => key.keyId);
    if (replaced.length === 0 || unreadable > 0) return;
    for (const isLeft of this.sealed.expiring) if (await isLeft(this.box.sealedPrefix)) return;
    await this.keys.remove(replaced);
    this.logger.log({ keyIds: replaced }, 'encryption keys no longer needed');
  }

  /** Returns how many rows none of this process's keys can decrypt. */
  private async reencrypt(table: SealedTable): Promise<number> {
    let unreadable = 0;
    let after: unknown = null;
    for (let isMore = true; isMore && !this.stopping.signal.aborted;) {
      const batch = await table.find(this.box.sealedPrefix, after, BATCH);
      for (const row of batch)
        try {
          await table.reseal(row);
        } catch (error) {
          if (!(error instanceof SecretUnreadableError)) throw error;
          unreadable += 1;
        }
      isMore = batch.length === BATCH;
      after = batch.at(-1) ?? null;
    }
    return unreadable;
  }
}
