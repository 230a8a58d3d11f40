import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import type { NotificationAddress } from './notification-address.entity.js';
import { NotificationAddressesRepository } from './notification-addresses.repository.js';

const ownAddress = z.object({
  /** Null for the address of the account. */
  confirmed: z.string().nullable(),
  /** The address to confirm; null when none is. */
  pending: z.object({ address: z.string(), nonce: z.string(), expiresAt: z.number() }).nullable(),
});

/** The address at which a member wants to be notified. */
export type OwnAddress = z.output<typeof ownAddress>;

const NONE: OwnAddress = { confirmed: null, pending: null };

/** The addresses of members, which are stored encrypted. */
@Injectable()
export class NotificationAddresses {
  constructor(
    private readonly rows: NotificationAddressesRepository,
    private readonly box: SecretBox,
  ) {}

  /** A member's addresses. Throws `SecretUnreadableError`. */
  async of(workspaceId: string, memberId: string): Promise<OwnAddress> {
    const row = await this.rows.find(workspaceId, memberId);
    return row === null ? NONE : this.open(row);
  }

  /** Stores a member's addresses. */
  async set(workspaceId: string, memberId: string, address: OwnAddress): Promise<void> {
    await this.rows.save(workspaceId, memberId, this.seal(workspaceId, memberId, address));
  }

  /**
   * Makes the pending address the member's own; false when the link has expired, was used, or was followed by another.
   * Of concurrent calls one succeeds.
   */
  async confirm(workspaceId: string, memberId: string, nonce: string, now: Date): Promise<boolean> {
    const row = await this.rows.find(workspaceId, memberId);
    if (row === null) return false;
    const { pending } = this.open(row);
    if (pending?.nonce !== nonce || pending.expiresAt <= now.getTime()) return false;
    const confirmed = { confirmed: pending.address, pending: null };
    const sealedAddress = this.seal(workspaceId, memberId, confirmed);
    return this.rows.replaceSealed(workspaceId, row, { sealedAddress });
  }

  /** Encrypts a stored address again with the current sealing key. Throws `SecretUnreadableError`. */
  reseal({ workspaceId, memberId, sealedAddress }: NotificationAddress): NotificationAddress {
    const owner = { workspaceId, purpose: purposeOf(memberId) };
    return { workspaceId, memberId, sealedAddress: this.box.reseal(sealedAddress, owner) };
  }

  private seal(workspaceId: string, memberId: string, address: OwnAddress): string {
    return this.box.seal(JSON.stringify(address), { workspaceId, purpose: purposeOf(memberId) });
  }

  private open({ workspaceId, memberId, sealedAddress }: NotificationAddress): OwnAddress {
    const owner = { workspaceId, purpose: purposeOf(memberId) };
    return ownAddress.parse(JSON.parse(this.box.open(sealedAddress, owner)));
  }
}

const purposeOf = (memberId: string): string => `member:${memberId}:notification_address`;
