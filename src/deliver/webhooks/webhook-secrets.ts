import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import type { Webhook } from './webhook.entity.js';
import type { SealedSecrets } from './webhooks.repository.js';

/** How long a replaced secret keeps signing in addition to the new one, in milliseconds. */
const ROTATION_MS = 24 * 3_600_000;

type StoredSecrets = Pick<Webhook, 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretUntil'>;

/** Encrypts and decrypts the URLs and signing secrets of webhooks. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly box: SecretBox) {}

  /** Encrypts the URL of one webhook. */
  sealUrl(workspaceId: string, id: string, url: string): string {
    return this.box.seal(url, { workspaceId, purpose: urlPurposeOf(id) });
  }

  /** The URL of a webhook. Throws `SecretUnreadableError`. */
  urlOf({ workspaceId, id, sealedUrl }: Pick<Webhook, 'workspaceId' | 'id' | 'sealedUrl'>): string {
    return this.box.open(sealedUrl, { workspaceId, purpose: urlPurposeOf(id) });
  }

  /** Encrypts a secret for one webhook. */
  seal(workspaceId: string, id: string, secret: string): string {
    return this.box.seal(secret, { workspaceId, purpose: purposeOf(id) });
  }

  /**
   * Returns the columns to store when a secret replaces another; null stops signing immediately. A previous secret that
   * cannot be decrypted is dropped, so that setting a new one restores deliveries.
   */
  rotate(webhook: Webhook, secret: string | null, now: Date): StoredSecrets {
    if (secret === null) return { sealedSecret: null, sealedPreviousSecret: null, previousSecretUntil: null };
    const previous = this.isReadable(webhook) ? webhook.sealedSecret : null;
    return {
      sealedSecret: this.seal(webhook.workspaceId, webhook.id, secret),
      sealedPreviousSecret: previous,
      previousSecretUntil: previous === null ? null : new Date(now.getTime() + ROTATION_MS),
    };
  }

  /** Returns the secrets that sign at `now`, newest first. Throws `SecretUnreadableError`. */
  current(webhook: Pick<Webhook, 'workspaceId' | 'id'> & StoredSecrets, now: Date): string[] {
    const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = webhook;
    const rotating = previousSecretUntil !== null && previousSecretUntil > now;
    return [sealedSecret, rotating ? sealedPreviousSecret : null]
      .filter((sealed) => sealed !== null)
      .map((sealed) => this.open(webhook, sealed));
  }

  /** Re-encrypts the stored secrets of a webhook with the sealing key. Throws `SecretUnreadableError`. */
  reseal(webhook: SealedSecrets): SealedSecrets {
    const { workspaceId, id } = webhook;
    const reseal = (sealed: string | null): string | null =>
      sealed && this.box.reseal(sealed, { workspaceId, purpose: purposeOf(id) });
    return {
      workspaceId,
      id,
      sealedUrl: this.box.reseal(webhook.sealedUrl, { workspaceId, purpose: urlPurposeOf(id) }),
      sealedSecret: reseal(webhook.sealedSecret),
      sealedPreviousSecret: reseal(webhook.sealedPreviousSecret),
    };
  }

  private isReadable(webhook: Webhook): boolean {
    try {
      if (webhook.sealedSecret !== null) this.open(webhook, webhook.sealedSecret);
      return true;
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return false;
    }
  }

  private open({ workspaceId, id }: Pick<Webhook, 'workspaceId' | 'id'>, sealed: string): string {
    return this.box.open(sealed, { workspaceId, purpose: purposeOf(id) });
  }
}

const urlPurposeOf = (id: string): string => `webhook:${id}:url`;
const purposeOf = (id: string): string => `webhook:${id}:secret`;
