import { Column, Entity } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** What a workspace's listeners matched on the latest day with a match. */
@Entity('listened_days')
export class ListenedDay extends WorkspaceRow {
  /** In UTC. */
  @Column('date')
  day: string;

  /** Number of texts within the quota. */
  @Column('integer')
  stored: number;

  /** Number of texts beyond the quota. */
  @Column('integer', { default: 0 })
  unstored: number;
}
