import type { EntityManager } from 'typeorm';
import type { SealedConfig } from './channel-configs.js';

/** The channels of the rows of one table: their encrypted configurations, and the state that deliveries leave. */
export abstract class ChannelRows {
  constructor(
    private readonly table: 'alerts' | 'reports',
    private readonly manager: EntityManager,
  ) {}

  /**
   * Up to `limit` rows after `after` whose configuration does not begin with `prefix`, ordered by id. Crosses
   * workspaces.
   */
  findSealedOtherwise(prefix: string, after: SealedConfig | null, limit: number): Promise<SealedConfig[]> {
    return this.manager.query(
      `SELECT workspace_id AS "workspaceId", id, sealed_channel_config AS "sealedChannelConfig" FROM ${this.table}
       WHERE NOT starts_with(sealed_channel_config, $1) AND ($2::uuid IS NULL OR (workspace_id, id) > ($2, $3::uuid))
       ORDER BY workspace_id, id LIMIT $4`,
      [prefix, after?.workspaceId ?? null, after?.id ?? null, limit],
    );
  }

  /** Replaces the encrypted configuration of a row; has no effect if it has changed since `former` was read. */
  async replaceSealed(workspaceId: string, former: SealedConfig, next: SealedConfig): Promise<void> {
    await this.manager.query(
      `UPDATE ${this.table} SET sealed_channel_config = $4
       WHERE workspace_id = $1 AND id = $2 AND sealed_channel_config = $3`,
      [workspaceId, former.id, former.sealedChannelConfig, next.sealedChannelConfig],
    );
  }

  /**
   * Records since when the channel has been failing: the first failure after the last success, or null when there is
   * none. If the batch has no success, an earlier start is kept.
   */
  async recordChannelFailures(
    workspaceId: string,
    id: string,
    outcome: { anySuccess: boolean; failingSince: Date | null },
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `UPDATE ${this.table} SET channel_failing_since =
         CASE WHEN $3 THEN $4::timestamptz ELSE coalesce(channel_failing_since, $4::timestamptz) END
       WHERE workspace_id = $1 AND id = $2
         AND channel_failing_since IS DISTINCT FROM
           CASE WHEN $3 THEN $4::timestamptz ELSE coalesce(channel_failing_since, $4::timestamptz) END`,
      [workspaceId, id, outcome.anySuccess, outcome.failingSince],
    );
  }

  /** Switches the channel off; false when it was off already. */
  async disableChannel(workspaceId: string, id: string, reason: string, tx: EntityManager): Promise<boolean> {
    const [, changed] = await tx.query<[unknown[], number]>(
      `UPDATE ${this.table} SET channel_disabled_reason = $3
       WHERE workspace_id = $1 AND id = $2 AND channel_disabled_reason IS NULL`,
      [workspaceId, id, reason],
    );
    return changed === 1;
  }
}
