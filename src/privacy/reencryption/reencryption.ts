import { Injectable, Logger } from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { AlertsRepository } from '../../alerts/alert/alerts.repository.js';
import { ChannelConfigs } from '../../alerts/alert/channel-configs.js';
import { IdempotencyRepository } from '../../access/idempotency/idempotency.repository.js';
import { NotificationAddresses } from '../../deliver/subscriptions/notification-addresses.js';
import { NotificationAddressesRepository } from '../../deliver/subscriptions/notification-addresses.repository.js';
import { WebhookSecrets } from '../../deliver/webhooks/webhook-secrets.js';
import { WebhooksRepository } from '../../deliver/webhooks/webhooks.repository.js';
import { WorkspaceKeysRepository } from '../../tenants/workspace-keys/workspace-keys.repository.js';
import { WorkspaceKeys } from '../../tenants/workspace-keys/workspace-keys.service.js';
import { EncryptionKeysRepository } from '../../tenants/encryption/encryption-keys.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 100;

/** The encrypted columns of one table: rows in order, page by page, and the conditional replacement of one row. */
interface SealedRows<Row extends { workspaceId: string }> {
  findSealedOtherwise(prefix: string, after: Row | null, limit: number): Promise<Row[]>;
  replaceSealed(workspaceId: string, former: Row, next: Row): Promise<unknown>;
}

/**
 * Re-encrypts stored secrets of webhooks, alerts, workspaces and members with the first key of `ENCRYPTION_KEY`, in
 * batches of 100 rows: when a worker starts, and once an hour while other keys are recorded. Several workers may do this
 * at the same time. Replaced keys that no longer encrypt anything are removed from `encryption_keys`, so that processes
 * can start without them.
 */
@Injectable()
export class Reencryption extends RepeatedWork {
  private readonly logger = new Logger(Reencryption.name);
  private isFirstPass = true;
  protected readonly loop = new PollingLoop(
    async () => {
      await this.pass();
      return false;
    },
    INTERVAL_MS,
    (error) =>
      this.logger.error({ err: error }, 'encryption with the newest key failed, retrying in an hour'),
  );

  constructor(
    private readonly box: SecretBox,
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly alerts: AlertsRepository,
    private readonly configs: ChannelConfigs,
    private readonly idempotency: IdempotencyRepository,
    private readonly keys: EncryptionKeysRepository,
    private readonly workspaceKeys: WorkspaceKeysRepository,
    private readonly sealing: WorkspaceKeys,
    private readonly addressRows: NotificationAddressesRepository,
    private readonly addresses: NotificationAddresses,
  ) {
    super();
  }

  /** Re-encrypts with the first key whatever another key encrypted, and removes keys that are no longer needed. */
  async pass(): Promise<void> {
    // Read before the rows, so that everything a replaced key encrypted is already stored.
    const others = await this.keys.findOthers(this.box.keyIds[0]!);
    if (others.length === 0 && !this.isFirstPass) return;
    const unreadable =
      (await this.reencrypt(this.webhooks, this.secrets)) +
      (await this.reencrypt(this.alerts, this.configs)) +
      (await this.reencrypt(this.workspaceKeys, this.sealing)) +
      (await this.reencrypt(this.addressRows, this.addresses));
    if (unreadable > 0) this.logger.warn({ unreadable }, 'secrets not readable with any key');
    if (this.stopping.signal.aborted) return;
    this.isFirstPass = false;
    const replaced = others.filter((key) => key.isReplaced).map((key) => key.keyId);
    // Stored responses to idempotency keys expire after one day, so they are not re-encrypted.
    if (replaced.length === 0 || unreadable > 0) return;
    if (await this.idempotency.hasSealedOtherwise(this.box.sealedPrefix)) return;
    await this.keys.remove(replaced);
    this.logger.log({ keyIds: replaced }, 'encryption keys no longer needed');
  }

  /** Returns how many rows none of this process's keys can decrypt. */
  private async reencrypt<Row extends { workspaceId: string }>(
    rows: SealedRows<NoInfer<Row>>,
    sealing: { reseal(row: Row): Row },
  ): Promise<number> {
    let unreadable = 0;
    let after: Row | null = null;
    for (let isMore = true; isMore && !this.stopping.signal.aborted;) {
      const batch: Row[] = await rows.findSealedOtherwise(this.box.sealedPrefix, after, BATCH);
      for (const row of batch)
        try {
          await rows.replaceSealed(row.workspaceId, row, sealing.reseal(row));
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
