import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Sums over the idempotency keys of a workspace that have a response; kept by triggers, and absent before the first. */
@Entity('idempotency_usage')
export class IdempotencyUsage {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @Column('integer')
  keys: number;

  /** Bytes of the encrypted responses: a 64-bit integer as text. */
  @Column('bigint')
  bytes: string;
}
