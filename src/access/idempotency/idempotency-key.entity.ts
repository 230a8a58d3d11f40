import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** First response to a request with an idempotency key, or the lease of the request that is producing it. */
@Entity('idempotency_keys')
@Index('idempotency_keys_oldest', ['createdAt'])
@Index('idempotency_keys_oldest_of_workspace', ['workspaceId', 'createdAt'])
export class IdempotencyKey extends WorkspaceRow {
  @PrimaryColumn('uuid')
  apiKeyId: string;

  /** The `Idempotency-Key` header as sent. */
  @PrimaryColumn('text')
  key: string;

  /** SHA-256 of method, path and body. */
  @Column('bytea')
  fingerprint: Buffer;

  /** HTTP status of the response; null until there is one. */
  @Column('integer', { nullable: true })
  status: number | null;

  /** Null until there is a response, and for one that is too large to keep. */
  @Column('text', { nullable: true })
  sealedBody: string | null;

  @Column('timestamptz')
  leaseUntil: Date;

  @Column('timestamptz')
  createdAt: Date;
}
