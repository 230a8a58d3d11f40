import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** What an alert learned from the decisions on its matches, and when it learns next. */
@Entity('alert_relevance')
@Index('alert_relevance_due', { synchronize: false })
export class AlertRelevance extends WorkspaceRow {
  @PrimaryColumn('uuid')
  alertId: string;

  /** A stored model; null while there are too few decisions, and after a text was erased. */
  @Column('bytea', { nullable: true })
  model: Buffer | null;

  @Column('timestamptz', { nullable: true })
  learnedAt: Date | null;

  /** Null while nothing changed since the model was learned. */
  @Column('timestamptz', { nullable: true })
  dueAt: Date | null;

  /** End of the lease of the process that learns. */
  @Column('timestamptz', { nullable: true })
  claimedUntil: Date | null;
}
