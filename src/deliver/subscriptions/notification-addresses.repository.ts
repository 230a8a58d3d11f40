import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { NotificationAddress } from './notification-address.entity.js';

/** Reads and writes `notification_addresses`. */
@Injectable()
export class NotificationAddressesRepository {
  constructor(
    @InjectRepository(NotificationAddress) private readonly rows: Repository<NotificationAddress>,
  ) {}

  find(workspaceId: string, memberId: string): Promise<NotificationAddress | null> {
    return this.rows.findOneBy({ workspaceId, memberId });
  }

  /** Replaces the member's address. */
  async save(workspaceId: string, memberId: string, sealedAddress: string): Promise<void> {
    await this.rows.upsert({ workspaceId, memberId, sealedAddress }, ['workspaceId', 'memberId']);
  }

  /** Replaces a row unless it has changed since `former` was read; returns whether it did. */
  async replaceSealed(
    workspaceId: string,
    { memberId, sealedAddress }: NotificationAddress,
    next: Pick<NotificationAddress, 'sealedAddress'>,
  ): Promise<boolean> {
    const { affected } = await this.rows.update(
      { workspaceId, memberId, sealedAddress },
      { sealedAddress: next.sealedAddress },
    );
    return affected === 1;
  }

  /** Up to `limit` rows after `after` whose text does not begin with `prefix`, ordered by key. Crosses workspaces. */
  findSealedOtherwise(
    prefix: string,
    after: NotificationAddress | null,
    limit: number,
  ): Promise<NotificationAddress[]> {
    return this.rows.query(
      `SELECT workspace_id AS "workspaceId", member_id AS "memberId", sealed_address AS "sealedAddress"
       FROM notification_addresses
       WHERE NOT starts_with(sealed_address, $1) AND ($2::uuid IS NULL OR (workspace_id, member_id) > ($2, $3::uuid))
       ORDER BY workspace_id, member_id LIMIT $4`,
      [prefix, after?.workspaceId ?? null, after?.memberId ?? null, limit],
    );
  }
}
