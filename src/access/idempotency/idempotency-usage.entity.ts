import { Column, Entity } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Sums over the idempotency keys of a workspace that have a response; kept by triggers, and absent before the first. */
@Entity('idempotency_usage')
export class IdempotencyUsage extends WorkspaceRow {
  @Column('integer')
  keys: number;

  /** Bytes of the encrypted responses: a 64-bit integer as text. */
  @Column('bigint')
  bytes: string;
}
