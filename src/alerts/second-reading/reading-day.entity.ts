import { Column, Entity } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** How many second readings a workspace had on the latest day with one. */
@Entity('reading_days')
export class ReadingDay extends WorkspaceRow {
  /** In UTC. */
  @Column('date')
  day: string;

  @Column('integer')
  calls: number;
}
