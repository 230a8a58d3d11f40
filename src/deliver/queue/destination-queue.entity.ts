import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';
import type { DestinationKind } from './delivery.entity.js';

/** One row per destination: when its earliest delivery is due, and how many attempts in a row failed. */
@Entity('destination_queues')
@Index('destination_queues_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class DestinationQueue extends WorkspaceRow {
  @PrimaryColumn('text')
  destinationKind: DestinationKind;

  @PrimaryColumn('uuid')
  destinationId: string;

  /** When a sender next checks the destination; null while nothing is pending. */
  @Column('timestamptz', { nullable: true })
  dueAt: Date | null;

  /** Since when nothing has been pending; set by the claim that found the queue empty. */
  @Column('timestamptz', { nullable: true })
  idleSince: Date | null;

  /** Failed attempts since the last success. */
  @Column('integer', { default: 0 })
  failures: number;
}
