import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('delivery_attempts')
export class DeliveryAttempt {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  deliveryId: string;

  /** 1 for the first. */
  @PrimaryColumn('integer')
  attemptNo: number;

  @Column('timestamptz')
  attemptedAt: Date;

  @Column('boolean')
  succeeded: boolean;

  @Column('integer', { nullable: true })
  responseCode: number | null;

  @Column('integer')
  durationMs: number;

  /** Holds nothing that the receiver sent. */
  @Column('text', { nullable: true })
  error: string | null;
}
